# Accounts, as the existing backend keeps them: its table is used where there is one.
resource "aws_dynamodb_table" "users" {
  #checkov:skip=CKV_AWS_119:AWS's managed key; a key of ours would have to be opened to every reader of the table, the older backend included
  count = var.existing.users_table ? 0 : 1

  name                        = local.users_table
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "UserID"
  deletion_protection_enabled = true

  attribute {
    name = "UserID"
    type = "S"
  }

  attribute {
    name = "Email"
    type = "S"
  }

  global_secondary_index {
    name            = "Email-index"
    hash_key        = "Email"
    projection_type = "ALL"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }
}

data "aws_dynamodb_table" "users" {
  count = var.existing.users_table ? 1 : 0
  name  = local.users_table
}

# What the existing backend does not have: connections, leases, holders, locks, revocations owed.
resource "aws_dynamodb_table" "connections" {
  #checkov:skip=CKV_AWS_119:AWS's managed key; the tokens in it are sealed under our own key before they get here
  name                        = local.connections_table
  billing_mode                = "PAY_PER_REQUEST"
  hash_key                    = "PK"
  range_key                   = "SK"
  deletion_protection_enabled = true

  attribute {
    name = "PK"
    type = "S"
  }

  attribute {
    name = "SK"
    type = "S"
  }

  attribute {
    name = "Queue"
    type = "S"
  }

  attribute {
    name = "At"
    type = "N"
  }

  # What is due at some time.
  global_secondary_index {
    name            = "ByTime"
    hash_key        = "Queue"
    range_key       = "At"
    projection_type = "KEYS_ONLY"
  }

  ttl {
    enabled        = true
    attribute_name = "ExpiresAt"
  }

  point_in_time_recovery {
    enabled = true
  }

  server_side_encryption {
    enabled = true
  }
}
