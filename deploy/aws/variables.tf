variable "region" {
  description = "Where everything stands. Users, secrets and tokens of an existing backend are found only in its own region."
  type        = string
  default     = "eu-west-1"
}

variable "name" {
  description = "Prefix of what this deployment makes; another one beside it needs another name."
  type        = string
  default     = "paypulse"

  validation {
    condition     = can(regex("^[a-z][a-z0-9-]{0,30}$", var.name))
    error_message = "The name is made of small letters, digits and hyphens, begins with a letter and has at most 31 of them."
  }
}

variable "existing" {
  description = "What an existing backend has already: it is used as it is, and stays in that backend's hands."
  type = object({
    users_table             = optional(bool, false)
    jwt_secret              = optional(bool, false)
    google_client_id_secret = optional(bool, false)
  })
  default = {}
}

variable "existing_api_id" {
  description = "The HTTP API of an existing backend, so that its routes can be pointed here one by one; empty for none."
  type        = string
  default     = ""
}

variable "image_uri" {
  description = "The container image, by digest. Empty when a zip is given."
  type        = string
  default     = ""

  validation {
    condition     = var.image_uri == "" || can(regex("@sha256:[0-9a-f]{64}$", var.image_uri))
    error_message = "Name the image by its digest (repository@sha256:...): a tag can come to mean another image."
  }
}

variable "zip_file" {
  description = "The zip that package-zip.sh made. Empty when an image is given."
  type        = string
  default     = ""
}

variable "architecture" {
  description = "What the package was built for."
  type        = string
  default     = "x86_64"

  validation {
    condition     = contains(["x86_64", "arm64"], var.architecture)
    error_message = "Lambda knows x86_64 and arm64."
  }
}

variable "vault" {
  description = "Where tokens are kept: secrets-manager (as the existing backend does) or dynamodb (sealed under the KMS key; see docs/cost.md)."
  type        = string
  default     = "secrets-manager"

  validation {
    condition     = contains(["secrets-manager", "dynamodb"], var.vault)
    error_message = "The vault is secrets-manager or dynamodb."
  }
}

variable "settings" {
  description = "Further settings of the program: the path that a custom domain's mapping adds, another Google than the real one, proxies whose X-Forwarded-For is believed, and flags."
  type        = map(string)
  default     = {}

  validation {
    condition = length(setsubtract(keys(var.settings), [
      "PAYPULSE_BASE_PATH", "PAYPULSE_GOOGLE_BASE_URL", "PAYPULSE_HIDE_UNKNOWN_USERS", "PAYPULSE_NO_RATE_LIMITS",
      "PAYPULSE_TRUSTED_PROXIES",
    ])) == 0
    error_message = "The program has no such setting, or it is none to be given here."
  }
}

variable "sweep_every" {
  description = "How often grants that are due are looked for. A round hands on 10,000 at most: five minutes are enough for 2.8 million users."
  type        = string
  default     = "rate(5 minutes)"
}

variable "throttle" {
  description = "Requests a second and burst for the whole API."
  type        = object({ rate = number, burst = number })
  default     = { rate = 1000, burst = 5000 }
}

variable "sign_in_throttle" {
  description = "The same for sign-up and sign-in, each of which costs a quarter of a second of bcrypt."
  type        = object({ rate = number, burst = number })
  default     = { rate = 20, burst = 40 }
}

variable "concurrency" {
  description = "How many of each function run at most; -1 sets nothing apart for it. A new account may have 10 in all."
  type        = object({ api = number, worker = number })
  default     = { api = -1, worker = 10 }
}

variable "log_retention_days" {
  description = "For how long log lines are kept. They hold no secret and no address."
  type        = number
  default     = 365
}

variable "alarm_email" {
  description = "Who is told when an alarm goes off; AWS asks that address to confirm. Empty for nobody."
  type        = string
  default     = ""
}
