"""What the records say about a field's form: the order of keys, and whether a word is a name or a text."""

from dataclasses import dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from site_build.model import Model, Text


@dataclass(frozen=True)
class Shape:
    """A field's type, as far as it decides how the field is written."""

    hint: Any

    @property
    def options(self) -> tuple[Any, ...]:
        """The types that the field may have, without None."""
        if get_origin(self.hint) in {Union, UnionType}:
            return tuple(option for option in get_args(self.hint) if option is not NoneType)
        return (self.hint,)

    @property
    def model(self) -> type[Model] | None:
        """The record that a mapping here is."""
        return next((option for option in self.options if isinstance(option, type) and issubclass(option, Model)), None)

    @property
    def is_name(self) -> bool:
        """A word is a name, such as an id, which needs no quotes."""
        return any(_is_name(option) for option in self.options)

    @property
    def is_known(self) -> bool:
        """The records say what stands here."""
        return self.hint is not Any

    @property
    def is_prose(self) -> bool:
        """A mapping here is a text in several languages."""
        return self.model is Text

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of a record, in order; none for other mappings."""
        return tuple(self.model.model_fields) if self.model else ()

    def inner(self, key: str) -> "Shape":
        """The shape of a mapping's value, or of a list's items."""
        if self.model is not None:
            return Shape(_hints(self.model).get(key, Any))
        for option in self.options:
            if get_origin(option) is dict:
                return Shape(get_args(option)[1])
            if get_origin(option) is tuple:
                return Shape(get_args(option)[0])
        return Shape(Any)


@lru_cache(maxsize=256)
def _hints(model: type[Model]) -> dict[str, Any]:
    return get_type_hints(model, include_extras=True)


def _is_name(option: Any) -> bool:
    if get_origin(option) is Literal:
        return True
    return get_origin(option) is Annotated and any(
        (getattr(part, "pattern", None) or "").startswith("^") for part in get_args(option)[1:]
    )
