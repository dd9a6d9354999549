# One package, three functions: each has a role of its own, with what its events need and no more.
resource "aws_lambda_function" "this" {
  #checkov:skip=CKV_AWS_117:It talks to AWS's and Google's public endpoints alone; inside a VPC it would need a NAT gateway and gain nothing
  #checkov:skip=CKV_AWS_116:What failed is kept by the queue's redrive policy and the schedule's failure destination; a call of the API is answered, not kept
  #checkov:skip=CKV_AWS_272:Code signing knows zips only; images are named by their digest
  #checkov:skip=CKV_AWS_173:The variables name tables and queues; no secret is among them
  for_each = local.functions

  function_name                  = "${var.name}-${each.key}"
  description                    = each.value.description
  role                           = aws_iam_role.function[each.key].arn
  architectures                  = [var.architecture]
  memory_size                    = each.value.memory
  timeout                        = each.value.timeout
  reserved_concurrent_executions = each.value.concurrency

  package_type     = var.image_uri == "" ? "Zip" : "Image"
  image_uri        = var.image_uri == "" ? null : var.image_uri
  filename         = var.image_uri == "" ? var.zip_file : null
  source_code_hash = var.image_uri == "" ? filebase64sha256(var.zip_file) : null
  runtime          = var.image_uri == "" ? "provided.al2023" : null
  handler          = var.image_uri == "" ? "bootstrap" : null

  environment {
    variables = local.environment
  }

  # The lines are JSON already: wrapped once more, the metric filters would not find their fields.
  logging_config {
    log_format = "Text"
    log_group  = aws_cloudwatch_log_group.function[each.key].name
  }

  tracing_config {
    mode = "PassThrough"
  }

  lifecycle {
    precondition {
      condition     = (var.image_uri == "") != (var.zip_file == "")
      error_message = "Give either image_uri or zip_file."
    }
  }

  depends_on = [aws_iam_role_policy.function]
}

resource "aws_ecr_repository" "this" {
  #checkov:skip=CKV_AWS_136:AWS's own key; the image holds no secret
  name                 = var.name
  image_tag_mutability = "IMMUTABLE"

  image_scanning_configuration {
    scan_on_push = true
  }
}

resource "aws_ecr_lifecycle_policy" "this" {
  repository = aws_ecr_repository.this.name

  policy = jsonencode({
    rules = [{
      rulePriority = 1
      description  = "The last ten, to go back to"
      selection    = { tagStatus = "any", countType = "imageCountMoreThan", countNumber = 10 }
      action       = { type = "expire" }
    }]
  })
}
