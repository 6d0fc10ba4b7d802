"""What the fuzzer knows of the emulator: values that exist there, and which answers may occur."""

import json
import os
import urllib.request
import zlib

import schemathesis
from schemathesis.core.parameters import ParameterLocation

SCENE_URL = os.environ["FUZZ_SCENE_URL"]

# behaviour, Errors; 401, 405 and 413 come from the generic stages.
UNLISTED = {400, 401, 402, 403, 404, 405, 406, 409, 413, 415, 422, 429, 544}

PLACES = (
    ("path", ParameterLocation.PATH, "path_parameters"),
    ("query", ParameterLocation.QUERY, "query"),
)


class Scene:
    """What exists at present. Some calls end it: the next call is made in a fresh one."""

    def __init__(self):
        self.known = {}
        self.ending = set()
        self.is_over = True

    def current(self):
        if self.is_over:
            with urllib.request.urlopen(SCENE_URL) as answer:
                told = json.load(answer)
            self.known, self.ending, self.is_over = told["known"], set(told["ending"]), False
        return self.known


scene = Scene()


def name_of(case):
    return case.operation.definition.raw.get("operationId", case.operation.label)


def is_generated_valid(case, location):
    return case.meta is None or not case.meta.is_negative_at(location)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts values that exist in place of most generated ones; a value that is meant to be wrong stays."""
    known = scene.current()
    own, common = known.get(name_of(case), {}), known.get("*", {})
    # The same case gets the same values in every run.
    chance = zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode("utf-8", "replace"))

    def replaced(place, fields, share):
        nonlocal chance
        changed = dict(fields)
        for field in fields:
            values = own.get(f"{place}.{field}") or common.get(f"{place}.{field}")
            chance = (chance * 1103515245 + 12345) % 2**31
            if values and chance % 100 < share:
                changed[field] = values[chance // 100 % len(values)]
        return changed

    for place, location, attribute in PLACES:
        fields = getattr(case, attribute)
        if fields and is_generated_valid(case, location):
            setattr(case, attribute, replaced(place, fields, 95 if place == "path" else 60))
    if isinstance(case.body, dict) and is_generated_valid(case, ParameterLocation.BODY):
        case.body = replaced("body", case.body, 60)


@schemathesis.hook
def after_call(context, case, response):
    if 200 <= response.status_code < 300 and name_of(case) in scene.ending:
        scene.is_over = True


@schemathesis.check
def only_known_statuses(ctx, response, case):
    listed = {code for code in case.operation.definition.raw.get("responses", {}) if code != "default"}
    if str(response.status_code) not in listed and response.status_code not in UNLISTED:
        raise AssertionError(f"Status {response.status_code} is neither listed nor known to occur")
