"""``kupa lab survey`` and ``kupa lab census``: work that may take days, over many processes, and resumed."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from kupa.catalogue import text
from kupa.command_line import Parser
from kupa.heart_to_heart.codes import DEALS
from kupa.lab import census, survey
from kupa.lab.faults import LabError
from kupa.lab.single_deals import number_in, write, write_json
from kupa.long_work.crews import crew
from kupa.long_work.journal import Journal, Result
from kupa.long_work.portions import Portion, work_through
from kupa.long_work.progress import Progress

JOURNAL: Final = "portions.jsonl"
"""The name of a journal in its folder."""
_DIFFERS: Final = 1
"""The exit status when a shard is not what the journal says."""


def _work(
    given: argparse.Namespace,
    language: str,
    journal: Journal,
    portions: Sequence[Portion],
    work: Callable[..., Sequence[Result]],
) -> None:
    """Work out what the journal does not hold, as the command line says."""
    todo = [portion for portion in portions if journal.results.keys().isdisjoint(portion.names)]
    if not todo:
        return
    progress = Progress(len(portions), len(portions) - len(todo), language, quiet=given.quiet)
    with crew(given.jobs, given.dask) as workers:
        try:
            work_through(todo, work, workers, journal, progress.note)
        finally:
            progress.close()


def _add_work(parser: Parser) -> None:
    parser.add_argument("--out", type=Path)
    parser.add_number("--jobs", 1)
    parser.add_argument("--dask")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quiet", action="store_true")


def _folder(given: argparse.Namespace) -> Path:
    if given.out is None:
        raise LabError("no_folder")
    folder: Path = given.out
    return folder


# ---------------------------------------------------------------- survey


def add_survey(parser: Parser) -> None:
    """Add what ``survey`` takes."""
    parser.add_number("--deals", 100_000_000)
    parser.add_number("--codes", 100_000)
    parser.add_number("--seed", 1)
    _add_work(parser)


def run_survey(given: argparse.Namespace, language: str) -> int:
    """Survey random deals and codes; write what they come to as JSON, Parquet and pictures."""
    from kupa.lab.survey_files import write_files

    deals = number_in(given.deals, "--deals", 0)
    codes = number_in(given.codes, "--codes", 0, DEALS)
    seed = number_in(given.seed, "--seed", 0, 1 << 32)
    folder = _folder(given)
    with Journal(folder / JOURNAL, survey.work_of(seed)) as journal:
        _work(given, language, journal, survey.portions(seed, deals, codes), survey.work_out)
        results = journal.results
    told = survey.summary(seed, results)
    write_files(folder, told, survey.codes_of(results), language)
    if given.json:
        write_json(told)
    else:
        _tell_survey(told, language)
        write(text(language, "lab.written", folder=str(folder)))
    return 0


def _percent(share: float) -> str:
    return f"{100 * share:.4f} %"


def _tell_survey(told: dict[str, Any], language: str) -> None:
    random, codes = told["random"], told["codes"]
    for found, key in ((random, "lab.survey.random"), (random["stuck"], "lab.survey.stuck")):
        if found["deals"]:
            low, high, share = (_percent(found[name]) for name in ("low", "high", "share"))
            write(text(language, key, n=random["deals"], share=share, low=low, high=high))
    moves = codes["moves"]
    if moves["count"]:
        params = {"mean": f"{moves['mean']:.2f}", "least": moves["least"], "most": moves["most"]}
        write(text(language, "lab.survey.moves", n=moves["count"], **params))
        for way, fared in codes["ways"].items():
            name = text(language, f"lab.way.{way}")
            share = f"{100 * fared['share']:.2f} %"
            above = fared["above"]["quantiles"]["0.5"] if fared["above"]["count"] else "-"
            write(text(language, "lab.survey.way", way=name, share=share, above=above))


# ---------------------------------------------------------------- census


def add_census(parser: Parser) -> None:
    """Add what ``census`` takes."""
    parser.add_argument("--shards")
    parser.add_argument("--check")
    _add_work(parser)


def run_census(given: argparse.Namespace, language: str) -> int:
    """Decide every code of some shards; or check one that was done before."""
    folder = _folder(given)
    if given.check is not None:
        if given.shards is not None:
            raise LabError("shards_or_check")
        return _check(folder, given.check, language)
    names = census.read_shards(given.shards)
    with Journal(folder / JOURNAL, census.WORK) as journal:
        _work(given, language, journal, census.portions(names), census.work_out)
        found = census.total([journal.results[name] for name in names])
        whole = census.total(list(journal.results.values()))
    if given.json:
        write_json({"asked": found, "all": whole})
        return 0
    _tell_census(found, language)
    if whole != found:
        _tell_census(whole, language)
    return 0


def _tell_census(found: census.Census, language: str) -> None:
    numbers: dict[str, str | int] = {
        "n": found.codes,
        "shards": found.shards,
        "winnable": found.winnable,
        "share": _percent(found.winnable / found.codes),
        "stuck": found.stuck,
        "stuck_share": _percent(found.stuck / found.codes),
    }
    write(text(language, "lab.census.whole" if found.is_whole else "lab.census.part", **numbers))


def _check(folder: Path, name: str, language: str) -> int:
    """Work a shard out again, and compare it with what the journal says."""
    if name not in census.SHARDS:
        raise LabError("bad_shards", given=name)
    if not (folder / JOURNAL).exists():
        raise LabError("no_such_shard", shard=name)
    with Journal(folder / JOURNAL, census.WORK) as journal:
        said = journal.results.get(name)
    if said is None:
        raise LabError("no_such_shard", shard=name)
    agrees = msgspec.convert(said, census.Shard) == census.count_shard(name)
    write(text(language, "lab.census.agrees" if agrees else "lab.census.differs", shard=name))
    return 0 if agrees else _DIFFERS
