"""Where hidden names stand in a text, an identifier or binary data: however spelled, however many they are."""
