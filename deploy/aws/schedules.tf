# Rules of EventBridge, because the function knows a schedule by the event's source, `aws.events`.
resource "aws_cloudwatch_event_rule" "sweep" {
  name                = "${var.name}-sweep"
  description         = "Finds the grants that are due for their daily use, and what else a day brings"
  schedule_expression = var.sweep_every
}

resource "aws_cloudwatch_event_target" "sweep" {
  rule = aws_cloudwatch_event_rule.sweep.name
  arn  = aws_lambda_function.this["schedule"].arn

  retry_policy {
    maximum_event_age_in_seconds = 3600
    maximum_retry_attempts       = 3
  }

  dead_letter_config {
    arn = aws_sqs_queue.schedule_dead.arn
  }
}

resource "aws_lambda_permission" "sweep" {
  statement_id   = "EventBridgeSweep"
  action         = "lambda:InvokeFunction"
  function_name  = aws_lambda_function.this["schedule"].function_name
  principal      = "events.amazonaws.com"
  source_arn     = aws_cloudwatch_event_rule.sweep.arn
  source_account = local.account
}

# EventBridge itself puts there what it could not hand over.
resource "aws_sqs_queue_policy" "schedule_dead" {
  queue_url = aws_sqs_queue.schedule_dead.id
  policy    = data.aws_iam_policy_document.schedule_dead.json
}

data "aws_iam_policy_document" "schedule_dead" {
  statement {
    sid       = "EventBridgeKeepsWhatFailed"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.schedule_dead.arn]

    principals {
      type        = "Service"
      identifiers = ["events.amazonaws.com"]
    }

    condition {
      test     = "ArnEquals"
      variable = "aws:SourceArn"
      values   = [aws_cloudwatch_event_rule.sweep.arn]
    }
  }
}

# A run is tried again by Lambda when it failed, and kept when it failed for good.
resource "aws_lambda_function_event_invoke_config" "schedule" {
  function_name                = aws_lambda_function.this["schedule"].function_name
  maximum_event_age_in_seconds = 3600
  maximum_retry_attempts       = 2

  destination_config {
    on_failure {
      destination = aws_sqs_queue.schedule_dead.arn
    }
  }
}
