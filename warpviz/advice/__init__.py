"""What an access costs in plain words, and what would make it cheaper. It draws nothing and measures nothing."""
