# A role a function. Its statements name the actions that the code calls (the enums of Sources/AWS), the things that it
# calls them on, and, apart from them, what Lambda itself does in the role's name.
resource "aws_iam_role" "function" {
  for_each = local.functions

  name               = "${var.name}-${each.key}"
  assume_role_policy = data.aws_iam_policy_document.lambda_assumes.json
}

data "aws_iam_policy_document" "lambda_assumes" {
  statement {
    sid     = "LambdaAssumesTheRole"
    actions = ["sts:AssumeRole"]

    principals {
      type        = "Service"
      identifiers = ["lambda.amazonaws.com"]
    }
  }
}

resource "aws_iam_role_policy" "function" {
  for_each = local.policies

  name   = "${var.name}-${each.key}"
  role   = aws_iam_role.function[each.key].id
  policy = each.value
}

locals {
  policies = {
    api      = data.aws_iam_policy_document.api.json
    schedule = data.aws_iam_policy_document.schedule.json
    worker   = data.aws_iam_policy_document.worker.json
    operator = data.aws_iam_policy_document.operator.json
  }

  # Named, not referred to: what exists already may be another state's.
  tables  = "arn:${local.partition}:dynamodb:${var.region}:${local.account}:table"
  secrets = "arn:${local.partition}:secretsmanager:${var.region}:${local.account}:secret"
}

# What every function needs: the settings, and to read and change a connection. Whoever meets a change that another
# process began has to be able to finish it, so reading alone is nobody's role.
data "aws_iam_policy_document" "connections" {
  # Secrets Manager ends a secret's ARN with six characters of its own choice.
  statement {
    sid       = "ReadSettings"
    actions   = ["secretsmanager:GetSecretValue"]
    resources = ["${local.secrets}:${local.jwt_secret}-*", "${local.secrets}:${local.google_client_id_secret}-*"]
  }

  statement {
    sid       = "ReadUsers"
    actions   = ["dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem"]
    resources = ["${local.tables}/${local.users_table}"]
  }

  statement {
    sid = "KeepConnections"
    actions = [
      "dynamodb:BatchGetItem", "dynamodb:ConditionCheckItem", "dynamodb:DeleteItem", "dynamodb:GetItem",
      "dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem",
    ]
    resources = ["${local.tables}/${local.connections_table}"]
  }

  statement {
    sid       = "FindWhatIsDue"
    actions   = ["dynamodb:Query"]
    resources = ["${local.tables}/${local.connections_table}/index/ByTime"]
  }

  statement {
    sid = "KeepTokens"
    actions = [
      "secretsmanager:CreateSecret", "secretsmanager:DeleteSecret", "secretsmanager:GetSecretValue",
      "secretsmanager:PutSecretValue", "secretsmanager:RestoreSecret",
    ]
    resources = ["${local.secrets}:${local.token_secrets}*"]
  }

  statement {
    sid       = "KeepWhatDoesNotOpen"
    actions   = ["secretsmanager:CreateSecret", "secretsmanager:DeleteSecret"]
    resources = ["${local.secrets}:${local.kept_secrets}*"]
  }

  statement {
    sid       = "SealTokens"
    actions   = ["kms:Decrypt", "kms:GenerateDataKey"]
    resources = [aws_kms_key.tokens.arn]
  }
}

data "aws_iam_policy_document" "api" {
  source_policy_documents = [data.aws_iam_policy_document.connections.json]

  statement {
    sid       = "SignUpAndDeleteUsers"
    actions   = ["dynamodb:DeleteItem", "dynamodb:GetItem", "dynamodb:PutItem"]
    resources = ["${local.tables}/${local.users_table}"]
  }

  statement {
    sid       = "FindUsersByEmail"
    actions   = ["dynamodb:Query"]
    resources = ["${local.tables}/${local.users_table}/index/Email-index"]
  }

  statement {
    sid       = "LambdaWritesTheLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.function["api"].arn}:*"]
  }
}

data "aws_iam_policy_document" "schedule" {
  source_policy_documents = [data.aws_iam_policy_document.connections.json]

  statement {
    sid       = "HandGrantsOn"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.grants.arn]
  }

  statement {
    sid       = "LambdaKeepsWhatFailed"
    actions   = ["sqs:SendMessage"]
    resources = [aws_sqs_queue.schedule_dead.arn]
  }

  statement {
    sid       = "LambdaWritesTheLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.function["schedule"].arn}:*"]
  }
}

data "aws_iam_policy_document" "worker" {
  source_policy_documents = [data.aws_iam_policy_document.connections.json]

  statement {
    sid       = "LambdaTakesMessages"
    actions   = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"]
    resources = [aws_sqs_queue.grants.arn]
  }

  statement {
    sid       = "LambdaWritesTheLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.function["worker"].arn}:*"]
  }
}

data "aws_iam_policy_document" "operator" {
  source_policy_documents = [data.aws_iam_policy_document.connections.json]

  statement {
    sid       = "ListUsers"
    actions   = ["dynamodb:Scan"]
    resources = ["${local.tables}/${local.users_table}"]
  }

  statement {
    sid       = "SetPasswords"
    actions   = ["dynamodb:UpdateItem"]
    resources = ["${local.tables}/${local.users_table}"]
  }

  statement {
    sid       = "FindUsersByEmail"
    actions   = ["dynamodb:Query"]
    resources = ["${local.tables}/${local.users_table}/index/Email-index"]
  }

  statement {
    sid       = "LambdaWritesTheLog"
    actions   = ["logs:CreateLogStream", "logs:PutLogEvents"]
    resources = ["${aws_cloudwatch_log_group.function["operator"].arn}:*"]
  }
}
