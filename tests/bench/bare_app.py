"""The least that Textual can show: the baseline of the first paint."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareApp(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("bare")


if __name__ == "__main__":
    BareApp().run()
