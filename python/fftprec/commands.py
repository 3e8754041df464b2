"""Commands of the program as functions."""

from . import _core


class Text(str):
    """What a command prints. `passed`, of a command that judges: whether all holds."""

    passed = None

    def __repr__(self):
        return str(self)

    def replaced(self, old, new):
        text = Text(self.replace(old, new))
        text.passed = self.passed
        return text


def _text(words, shows_progress, allowed):
    code, out, err = _core.command([str(word) for word in words], shows_progress)
    if code == 130:
        raise KeyboardInterrupt
    if code not in allowed:
        raise ValueError(err.strip().removeprefix("fftprec: "))
    return code, Text(out)


def output(*words, shows_progress=False, allowed=(0,)):
    """Standard output of a command. ValueError with its message if it fails."""
    return _text(words, shows_progress, allowed)[1]


def judged(*words):
    """The same of a command whose exit code 1 says that something does not hold."""
    code, text = _text(words, False, (0, 1))
    text.passed = code == 0
    return text
