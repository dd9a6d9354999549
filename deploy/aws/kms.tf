# Seals tokens: those in the table's vault, and what is owed to Google while it waits for its revocation.
resource "aws_kms_key" "tokens" {
  description             = "${var.name}: seals Google tokens"
  enable_key_rotation     = true
  deletion_window_in_days = 30
  policy                  = data.aws_iam_policy_document.tokens_key.json

  lifecycle {
    prevent_destroy = true
  }
}

resource "aws_kms_alias" "tokens" {
  name          = "alias/${var.name}-tokens"
  target_key_id = aws_kms_key.tokens.key_id
}

# The account's own administrators manage the key and hand out its use by their policies, named one by one.
data "aws_iam_policy_document" "tokens_key" {
  #checkov:skip=CKV_AWS_109:A key's policy is about that key alone: "*" means "this key" here, and the account must be able to manage it
  #checkov:skip=CKV_AWS_111:As above
  #checkov:skip=CKV_AWS_356:As above
  statement {
    sid = "AccountManagesTheKey"
    actions = [
      "kms:CancelKeyDeletion", "kms:CreateAlias", "kms:CreateGrant", "kms:Decrypt", "kms:DeleteAlias",
      "kms:DescribeKey", "kms:DisableKey", "kms:DisableKeyRotation", "kms:EnableKey", "kms:EnableKeyRotation",
      "kms:Encrypt", "kms:GenerateDataKey", "kms:GetKeyPolicy", "kms:GetKeyRotationStatus", "kms:ListAliases",
      "kms:ListGrants", "kms:ListKeyPolicies", "kms:ListKeyRotations", "kms:ListResourceTags", "kms:PutKeyPolicy",
      "kms:RevokeGrant", "kms:RotateKeyOnDemand", "kms:ScheduleKeyDeletion", "kms:TagResource",
      "kms:UntagResource", "kms:UpdateAlias", "kms:UpdateKeyDescription",
    ]
    resources = ["*"]

    principals {
      type        = "AWS"
      identifiers = ["arn:${local.partition}:iam::${local.account}:root"]
    }
  }
}
