output "api_url" {
  description = "Where the API answers."
  value       = aws_apigatewayv2_api.this.api_endpoint
}

output "repository_url" {
  description = "Where the image goes."
  value       = aws_ecr_repository.this.repository_url
}

output "existing_api_integration" {
  description = "What a route of the existing API is pointed to: integrations/<this>."
  value       = one(aws_apigatewayv2_integration.existing[*].id)
}

output "dead_letter_queues" {
  description = "Where to look when the alarm for dead letters goes off."
  value       = [aws_sqs_queue.grants_dead.url, aws_sqs_queue.schedule_dead.url]
}
