# What the functions' log lines say, counted. Names of events are the code's; a test holds them together.
locals {
  metrics = "${var.name}/events"

  log_metrics = {
    # Level alert: something that only the operator can mend, such as a client ID that Google refuses.
    OperatorFaults = {
      pattern = "{ $.level = \"alert\" }"
      value   = "1"
    }
    # Level error: something failed for one user or request.
    Errors = {
      pattern = "{ $.level = \"error\" }"
      value   = "1"
    }
    # A use of a grant that was put off or not done, a sweep that failed, deaths that are not believed. A person's
    # administrator who refuses for the moment is nobody's failure.
    RefreshFailures = {
      pattern = "{ ($.event = \"grant_use_put_off\" && $.reason != \"blocked\") || ($.event = \"grant_not_used\") || ($.event = \"sweep_failed\") || ($.event = \"wave_of_invalid_grant\") }"
      value   = "1"
    }
    # How many grants a sweep found due, to compare failures with.
    GrantsDue = {
      pattern = "{ $.event = \"grants_due\" }"
      value   = "$.count"
    }
  }

  log_filters = {
    for pair in setproduct(keys(local.functions), keys(local.log_metrics)) :
    "${pair[0]}-${pair[1]}" => { function = pair[0], metric = pair[1] }
  }
}

resource "aws_cloudwatch_log_metric_filter" "this" {
  for_each = local.log_filters

  name           = "${var.name}-${each.key}"
  log_group_name = aws_cloudwatch_log_group.function[each.value.function].name
  pattern        = local.log_metrics[each.value.metric].pattern

  metric_transformation {
    namespace     = local.metrics
    name          = each.value.metric
    value         = local.log_metrics[each.value.metric].value
    default_value = "0"
    unit          = "Count"
  }
}

resource "aws_sns_topic" "alarms" {
  #checkov:skip=CKV_AWS_26:CloudWatch cannot publish to a topic under AWS's managed key, and an alarm's text is its name and a number
  name = "${var.name}-alarms"
}

resource "aws_sns_topic_subscription" "alarms" {
  count = var.alarm_email == "" ? 0 : 1

  topic_arn = aws_sns_topic.alarms.arn
  protocol  = "email"
  endpoint  = var.alarm_email
}

resource "aws_cloudwatch_metric_alarm" "operator_faults" {
  alarm_name          = "${var.name}-operator-faults"
  alarm_description   = "A line of level alert: its field advice says what to do. Users stay connected meanwhile."
  namespace           = local.metrics
  metric_name         = "OperatorFaults"
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "refresh_failures" {
  alarm_name          = "${var.name}-refresh-failures"
  alarm_description   = "In three of four quarters of an hour at least five refreshes failed, and one in twenty: Google, the vault or the network."
  evaluation_periods  = 4
  datapoints_to_alarm = 3
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]

  metric_query {
    id          = "bad"
    expression  = "IF(failed >= 5 AND failed > FILL(due, 0) / 20, failed, 0)"
    label       = "Failures beyond one in twenty"
    return_data = true
  }

  metric_query {
    id = "failed"
    metric {
      namespace   = local.metrics
      metric_name = "RefreshFailures"
      stat        = "Sum"
      period      = 900
    }
  }

  metric_query {
    id = "due"
    metric {
      namespace   = local.metrics
      metric_name = "GrantsDue"
      stat        = "Sum"
      period      = 900
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "errors" {
  alarm_name          = "${var.name}-errors"
  alarm_description   = "Lines of level error."
  namespace           = local.metrics
  metric_name         = "Errors"
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 3
  datapoints_to_alarm = 2
  threshold           = 5
  comparison_operator = "GreaterThanOrEqualToThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "dead_letters" {
  for_each = {
    grants   = aws_sqs_queue.grants_dead.name
    schedule = aws_sqs_queue.schedule_dead.name
  }

  alarm_name          = "${var.name}-dead-letters-${each.key}"
  alarm_description   = "Work that failed for good; docs/aws.md says how to look at it and send it again."
  namespace           = "AWS/SQS"
  metric_name         = "ApproximateNumberOfMessagesVisible"
  dimensions          = { QueueName = each.value }
  statistic           = "Maximum"
  period              = 300
  evaluation_periods  = 1
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
}

resource "aws_cloudwatch_metric_alarm" "server_errors" {
  alarm_name          = "${var.name}-5xx"
  alarm_description   = "The API answered 5xx: more than one request in a hundred, and at least five."
  evaluation_periods  = 3
  datapoints_to_alarm = 2
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]

  metric_query {
    id          = "bad"
    expression  = "IF(failed >= 5 AND failed > requests / 100, failed, 0)"
    label       = "5xx beyond one in a hundred"
    return_data = true
  }

  metric_query {
    id = "failed"
    metric {
      namespace   = "AWS/ApiGateway"
      metric_name = "5xx"
      dimensions  = { ApiId = aws_apigatewayv2_api.this.id }
      stat        = "Sum"
      period      = 300
    }
  }

  metric_query {
    id = "requests"
    metric {
      namespace   = "AWS/ApiGateway"
      metric_name = "Count"
      dimensions  = { ApiId = aws_apigatewayv2_api.this.id }
      stat        = "Sum"
      period      = 300
    }
  }
}

# A crash, a timeout or a start that failed writes no line of ours.
resource "aws_cloudwatch_metric_alarm" "crashes" {
  for_each = local.functions

  alarm_name          = "${var.name}-crashes-${each.key}"
  alarm_description   = "Invocations that ended without an answer."
  namespace           = "AWS/Lambda"
  metric_name         = "Errors"
  dimensions          = { FunctionName = aws_lambda_function.this[each.key].function_name }
  statistic           = "Sum"
  period              = 300
  evaluation_periods  = 3
  datapoints_to_alarm = 2
  threshold           = 0
  comparison_operator = "GreaterThanThreshold"
  treat_missing_data  = "notBreaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]
}

# A schedule that does not run makes no noise at all, and in six months costs every idle connection.
resource "aws_cloudwatch_metric_alarm" "schedule_silent" {
  alarm_name          = "${var.name}-schedule-silent"
  alarm_description   = "The sweep did not run for an hour."
  namespace           = "AWS/Lambda"
  metric_name         = "Invocations"
  dimensions          = { FunctionName = aws_lambda_function.this["schedule"].function_name }
  statistic           = "Sum"
  period              = 3600
  evaluation_periods  = 1
  threshold           = 1
  comparison_operator = "LessThanThreshold"
  treat_missing_data  = "breaching"
  alarm_actions       = [aws_sns_topic.alarms.arn]
  ok_actions          = [aws_sns_topic.alarms.arn]
}
