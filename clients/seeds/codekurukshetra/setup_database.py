def setup_database():
    # Create main table
    create_table('codekurukshetra_main')
    
    # Create GSIs
    create_gsi('GSI1', 'GSI1PK', 'GSI1SK') 
    create_gsi('GSI2', 'GSI2PK', 'GSI2SK')
    create_gsi('GSI3', 'GSI3PK', 'GSI3SK')
    
    # Seed configuration
    seed_config_data()
    
    # Set up monitoring
    setup_cloudwatch_alarms()
