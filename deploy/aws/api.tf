resource "aws_apigatewayv2_api" "this" {
  name          = var.name
  protocol_type = "HTTP"
}

resource "aws_apigatewayv2_integration" "api" {
  api_id                 = aws_apigatewayv2_api.this.id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.this["api"].invoke_arn
  payload_format_version = "2.0"
  timeout_milliseconds   = 29000
}

# The function checks the session's token itself: the reply must say what the contract says (docs/aws.md).
resource "aws_apigatewayv2_route" "this" {
  #checkov:skip=CKV_AWS_309:Sessions are HS256 tokens of our own, which API Gateway's JWT authorizer (RS256 only) cannot check; the function does
  for_each = toset(local.routes)

  api_id    = aws_apigatewayv2_api.this.id
  route_key = each.key
  target    = "integrations/${aws_apigatewayv2_integration.api.id}"
}

resource "aws_apigatewayv2_stage" "default" {
  api_id      = aws_apigatewayv2_api.this.id
  name        = "$default"
  auto_deploy = true

  default_route_settings {
    throttling_rate_limit    = var.throttle.rate
    throttling_burst_limit   = var.throttle.burst
    detailed_metrics_enabled = true
  }

  dynamic "route_settings" {
    for_each = local.sign_in_routes
    content {
      route_key                = route_settings.value
      throttling_rate_limit    = var.sign_in_throttle.rate
      throttling_burst_limit   = var.sign_in_throttle.burst
      detailed_metrics_enabled = true
    }
  }

  # Neither query, nor header, nor the path as it was sent, nor the caller's address: nothing that could hold a token
  # or a person.
  access_log_settings {
    destination_arn = aws_cloudwatch_log_group.access.arn
    format = jsonencode({
      time             = "$context.requestTime"
      request_id       = "$context.requestId"
      route            = "$context.routeKey"
      status           = "$context.status"
      duration_ms      = "$context.responseLatency"
      function_ms      = "$context.integrationLatency"
      function_status  = "$context.integrationStatus"
      function_failure = "$context.integrationErrorMessage"
      bytes            = "$context.responseLength"
    })
  }

  depends_on = [aws_apigatewayv2_route.this]
}

resource "aws_lambda_permission" "api" {
  statement_id  = "HTTPAPI"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.this["api"].function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "${aws_apigatewayv2_api.this.execution_arn}/*"
}

# For replacing a backend in place: the older API gets an integration that its routes can be pointed to and back
# (docs/moving-from-the-python-backend.md). Its routes and stage stay in its own hands.
resource "aws_apigatewayv2_integration" "existing" {
  count = var.existing_api_id == "" ? 0 : 1

  api_id                 = var.existing_api_id
  integration_type       = "AWS_PROXY"
  integration_uri        = aws_lambda_function.this["api"].invoke_arn
  payload_format_version = "2.0"
  timeout_milliseconds   = 29000
}

resource "aws_lambda_permission" "existing_api" {
  count = var.existing_api_id == "" ? 0 : 1

  statement_id  = "ExistingHTTPAPI"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.this["api"].function_name
  principal     = "apigateway.amazonaws.com"
  source_arn    = "arn:${local.partition}:execute-api:${var.region}:${local.account}:${var.existing_api_id}/*"
}
