"""Queries: sources, and stages that their rows go through."""

import itertools

from logquery.carrying import carried_out
from logquery.errors import QueryFailure
from logquery.files import write_rows
from logquery.jsontext import write_json
from logquery.sources import parse_source
from logquery.spilling import Spool
from logquery.stages import STAGES
from logquery.phrases import path_token


class Pipeline:
    """Sources and stages; each stage is done with all rows before the next one begins."""

    def __init__(self, sources, stages):
        self.sources = sources
        self.stages = stages

    def bind(self):
        for source in self.sources:
            source.bind()
        for stage in self.stages:
            stage.bind()

    def rows(self):
        rows = itertools.chain.from_iterable(source.rows() for source in self.sources)
        for stage in self.stages:
            rows = carried_out(stage, rows)
        return rows


class Output:
    """The rows and their number as an answer."""

    def put(self, rows, answers):
        lines = Spool()
        count = 0
        for count, row in enumerate(rows, 1):
            lines.add(write_json(row))
        for line in lines:
            answers.write(f"{line}\n")
        return count


class FileOutput:
    """The rows in a file, and only their number as an answer."""

    def __init__(self, token, path):
        self.position = token.position
        self.path = path

    def put(self, rows, answers):
        kept = Spool()
        count = 0
        for count, row in enumerate(rows, 1):
            kept.add(row)
        try:
            write_rows(self.path, kept)
        except OSError as error:
            raise QueryFailure("file", self.position) from error
        return count


class Query:
    def __init__(self, pipeline, output):
        self.pipeline = pipeline
        self.output = output

    def carry_out(self, answers):
        """Writes the answer; nothing, if there is a failure."""
        self.pipeline.bind()
        count = self.output.put(self.pipeline.rows(), answers)
        answers.write(f"ok {count}\n")


class ViewDefinition:
    """A pipeline that gets a name. Names in it stand for what they stood for when it was defined."""

    def __init__(self, name, pipeline, views):
        self.name = name
        self.pipeline = pipeline
        self.views = views

    def carry_out(self, answers):
        self.pipeline.bind()
        self.views[self.name] = self.pipeline
        answers.write("ok\n")


def parse_pipeline(tokens, may_end_with_into=False):
    """A pipeline up to what is none of its stages."""
    tokens.expect("from")
    sources = tokens.separated(parse_source)
    stages = []
    while tokens.take("|"):
        if may_end_with_into and tokens.at("into"):
            break
        word = tokens.expect(*STAGES)
        stages.append(STAGES[word.text](tokens))
    return Pipeline(sources, stages)


def _parse_query(tokens):
    pipeline = parse_pipeline(tokens, may_end_with_into=True)
    output = FileOutput(*path_token(tokens)) if tokens.take("into") else Output()
    return Query(pipeline, output)


def _parse_view(tokens):
    name = tokens.name().text
    tokens.expect("=")
    return ViewDefinition(name, parse_pipeline(tokens), tokens.views)


def parse_statement(tokens):
    statement = _parse_view(tokens) if tokens.take("view") else _parse_query(tokens)
    tokens.of_kind("end")
    return statement
