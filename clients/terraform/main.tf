# A table with what Terraform's users give one. What differs between the steps of ../terraform.check is a variable.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

variable "endpoint" {
  type = string
}

variable "table" {
  type = string
}

variable "billing_mode" {
  type    = string
  default = "PROVISIONED"
}

variable "tags" {
  type    = map(string)
  default = { owner = "plant 7", stage = "test" }
}

variable "expiring" {
  type    = bool
  default = false
}

variable "second_index" {
  type    = bool
  default = false
}

locals {
  units = var.billing_mode == "PROVISIONED" ? 5 : null
}

provider "aws" {
  region                      = "us-east-1"
  access_key                  = "any"
  secret_key                  = "any"
  skip_credentials_validation = true
  skip_metadata_api_check     = true
  skip_requesting_account_id  = true
  endpoints {
    dynamodb = var.endpoint
  }
}

resource "aws_dynamodb_table" "readings" {
  name           = var.table
  billing_mode   = var.billing_mode
  read_capacity  = local.units
  write_capacity = local.units
  hash_key       = "sensor"
  range_key      = "time"
  tags           = var.tags

  attribute {
    name = "sensor"
    type = "S"
  }
  attribute {
    name = "time"
    type = "N"
  }
  attribute {
    name = "quality"
    type = "N"
  }
  attribute {
    name = "room"
    type = "S"
  }

  local_secondary_index {
    name            = "byQuality"
    range_key       = "quality"
    projection_type = "KEYS_ONLY"
  }

  global_secondary_index {
    name               = "byRoom"
    hash_key           = "room"
    range_key          = "time"
    projection_type    = "INCLUDE"
    non_key_attributes = ["celsius"]
    read_capacity      = local.units
    write_capacity     = local.units
  }

  dynamic "global_secondary_index" {
    for_each = var.second_index ? [1] : []
    content {
      name            = "ofQuality"
      hash_key        = "quality"
      projection_type = "ALL"
      read_capacity   = local.units
      write_capacity  = local.units
    }
  }

  dynamic "ttl" {
    for_each = var.expiring ? [1] : []
    content {
      attribute_name = "expires"
      enabled        = true
    }
  }
}

resource "aws_dynamodb_table_item" "first" {
  table_name = aws_dynamodb_table.readings.name
  hash_key   = "sensor"
  range_key  = "time"
  item       = jsonencode({ sensor = { S = "s-1" }, time = { N = "1" }, room = { S = "attic" }, celsius = { N = "19.5" } })
}

data "aws_dynamodb_table" "readings" {
  name = aws_dynamodb_table.readings.name
}

output "arn" {
  value = data.aws_dynamodb_table.readings.arn
}
