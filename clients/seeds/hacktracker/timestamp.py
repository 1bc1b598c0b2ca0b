item['updatedAt'] = datetime.now(timezone.utc).isoformat()
