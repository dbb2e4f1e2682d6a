"""The screen: pure drawing first, then the app, then a real terminal."""
