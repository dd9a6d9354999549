# One message a grant to use. A grant that fails three times goes to the dead-letter queue, which raises an alarm.
resource "aws_sqs_queue" "grants" {
  name                       = "${var.name}-grants"
  sqs_managed_sse_enabled    = true
  message_retention_seconds  = 24 * 3600
  visibility_timeout_seconds = 6 * local.functions.worker.timeout

  redrive_policy = jsonencode({
    deadLetterTargetArn = aws_sqs_queue.grants_dead.arn
    maxReceiveCount     = 3
  })
}

resource "aws_sqs_queue" "grants_dead" {
  name                      = "${var.name}-grants-dead"
  sqs_managed_sse_enabled   = true
  message_retention_seconds = 14 * 24 * 3600
}

resource "aws_sqs_queue_redrive_allow_policy" "grants_dead" {
  queue_url = aws_sqs_queue.grants_dead.id

  redrive_allow_policy = jsonencode({
    redrivePermission = "byQueue"
    sourceQueueArns   = [aws_sqs_queue.grants.arn]
  })
}

# Schedules whose run failed for good.
resource "aws_sqs_queue" "schedule_dead" {
  name                      = "${var.name}-schedule-dead"
  sqs_managed_sse_enabled   = true
  message_retention_seconds = 14 * 24 * 3600
}

resource "aws_lambda_event_source_mapping" "grants" {
  event_source_arn        = aws_sqs_queue.grants.arn
  function_name           = aws_lambda_function.this["worker"].arn
  batch_size              = 10
  function_response_types = ["ReportBatchItemFailures"]

  scaling_config {
    maximum_concurrency = max(2, var.concurrency.worker)
  }
}
