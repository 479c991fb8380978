// The events that a webhook of a repository can hear of (docs, Webhook events and payloads).

const events = new Set(
  `branch_protection_configuration branch_protection_rule check_run check_suite code_scanning_alert commit_comment
  create custom_property_values delete dependabot_alert deploy_key deployment deployment_status discussion
  discussion_comment fork gollum issue_comment issue_dependencies issues label member merge_group meta milestone
  package page_build project project_card project_column public pull_request pull_request_review
  pull_request_review_comment pull_request_review_thread push registry_package release repository
  repository_advisory repository_import repository_ruleset repository_vulnerability_alert secret_scanning_alert
  secret_scanning_alert_location security_and_analysis star status sub_issues team_add watch workflow_dispatch
  workflow_job workflow_run`.split(/\s+/),
);

export const isEvent = (name: string): boolean => events.has(name);
