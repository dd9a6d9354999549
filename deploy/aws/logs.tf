resource "aws_cloudwatch_log_group" "function" {
  #checkov:skip=CKV_AWS_158:AWS's own key; no token, password, address or mail text is ever in a line
  for_each = local.functions

  name              = "/aws/lambda/${var.name}-${each.key}"
  retention_in_days = var.log_retention_days
}

resource "aws_cloudwatch_log_group" "access" {
  #checkov:skip=CKV_AWS_158:AWS's own key; no query, header, path or address is ever in a line
  name              = "/aws/apigateway/${var.name}"
  retention_in_days = var.log_retention_days
}
