# Automated daily backups
aws dynamodb put-backup-policy \
  --table-name codekurukshetra_main \
  --backup-policy BillingMode=PROVISIONED,BackupType=SYSTEM
