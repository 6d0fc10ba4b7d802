"""What the fuzzer knows of the emulator: a call that succeeds there, and which answers may occur."""

import json
import os
import random
import urllib.request
import zlib

import schemathesis
from schemathesis.core.parameters import ParameterLocation

SCENES_URL = os.environ["FUZZ_SCENES_URL"]

# service, Errors; 401, 405 and 413 come from the generic stages.
UNLISTED = {400, 401, 402, 403, 404, 405, 406, 409, 413, 415, 422, 429, 544}


class Scene:
    """What exists for the operation that is called at present."""

    name = None
    path, query, body = {}, {}, None
    ends_with_success = False

    def show(self, name):
        if name == self.name:
            return
        with urllib.request.urlopen(f"{SCENES_URL}/{name}") as answer:
            told = json.load(answer)
        self.name, self.ends_with_success = name, told["endsWithSuccess"]
        self.path, self.query, self.body = told["path"], told["query"], told.get("body")

    def end(self):
        self.name = None


scene = Scene()


def name_of(case):
    return case.operation.definition.raw["operationId"]


def is_meant_valid(case, location):
    return case.meta is None or not case.meta.is_negative_at(location)


def mixed(generated, known, chance, share):
    """Some of the values that exist, among the generated ones."""
    return {**generated, **{name: value for name, value in known.items() if chance.random() < share}}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts values that exist in place of generated ones; what is meant to be wrong stays."""
    scene.show(name_of(case))
    # The same case gets the same values in every run.
    chance = random.Random(zlib.crc32(repr((case.path_parameters, case.query, case.body)).encode("utf-8", "replace")))
    if case.path_parameters and is_meant_valid(case, ParameterLocation.PATH):
        case.path_parameters = mixed(case.path_parameters, scene.path, chance, 0.95)
    if is_meant_valid(case, ParameterLocation.QUERY) and scene.query:
        case.query = mixed(case.query or {}, scene.query, chance, chance.choice((0.3, 1)))
    if scene.body is None or not is_meant_valid(case, ParameterLocation.BODY):
        return
    if case.media_type == "multipart/form-data" and chance.random() < 0.5:
        # The fuzzer names every file after its field.
        metadata = {**scene.body["metadata"], "entrypoint_path": "file"}
        case.body = {"metadata": metadata, "file": ["export default 1", "let"]}
    if case.media_type not in ("application/json", "application/x-www-form-urlencoded"):
        return
    if chance.random() < 0.3:
        case.body = scene.body
    elif isinstance(case.body, dict) and isinstance(scene.body, dict):
        case.body = mixed(case.body, scene.body, chance, 0.5)


@schemathesis.hook
def after_call(context, case, response):
    if scene.ends_with_success and 200 <= response.status_code < 300:
        scene.end()


@schemathesis.check
def only_known_statuses(ctx, response, case):
    listed = {code for code in case.operation.definition.raw["responses"] if code != "default"}
    if str(response.status_code) not in listed and response.status_code not in UNLISTED:
        raise AssertionError(f"Status {response.status_code} is neither listed nor known to occur")
