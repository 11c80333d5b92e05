"""What a table plays by: the schema, layers of YAML, the texts behind them, and the deal they meet."""
