"""Writes the records from which recompute.sh makes tables: times drawn with fixed seeds, with outliers and missing sessions."""

import itertools
import json
import math
import os

import numpy as np

FIXTURE_FORMS = {"multi-kernel": 1.0, "multi-kernel-fixed": 0.8, "portable-cold": 0.7, "portable": 0.5,
                 "specialised-bound": 0.65, "specialised": 0.5, "portable-first": 0.9}


def fixture_record(app, place, which, samples, session, repeat):
    variant, _, suffix = place[1].partition("-") if not place[1].startswith("multi") else (
        "multi-kernel", "", place[1][len("multi-kernel-"):])
    configuration = {"condition": suffix if suffix in ("cold", "first") else "warm",
                     "grid": "fixed" if suffix == "fixed" else "elements",
                     "team_limit": "bound" if suffix == "bound" else "auto"}
    return {"schema": 4, "kind": "measure", "chip": "c", "set": "paper", "app": app, "input": place[0], "variant": variant,
            "comparison": f"{app} {place[0]}", "configuration": configuration, "configuration_hash": place[1],
            "kernel_hash": "k", "program_hash": "p", "driver": "d", "commit": "0", "outcome": "ok",
            "date": f"2026-01-0{session + 1}T00:00:{repeat:02d}Z", "repeat": repeat, "workgroup": 256,
            "key": f"{which}{app}{place}{session}{repeat}",
            "session": {"boot": f"b{session}", "date": f"2026-01-0{session + 1}", "host": "h"},
            "samples_ns": [int(s) for s in samples]}


def write_fixture(folder):
    rng = np.random.default_rng(2016)
    for which, factor in (("a", {}), ("b", {"road:9": 1.3, "rmat:9": 0.7})):
        with open(os.path.join(folder, which + ".jsonl"), "w", encoding="utf-8") as file:
            for app in ("lonestar/bfs", "pannotia/mis"):
                for text in ("road:9", "rmat:9", "uniform:9", "grid2d:9", "road:5"):
                    sessions = 3 if text in ("road:9", "uniform:9") else 1
                    processes = 1 if text == "road:5" else 5
                    for name, part in FIXTURE_FORMS.items():
                        for session in range(sessions):
                            shift = rng.normal(0, 0.01)
                            for repeat in range(processes):
                                level = 1e7 * part * factor.get(text, 1) * math.exp(shift + rng.normal(0, 0.02))
                                samples = level * np.exp(rng.normal(0, 0.02, 20))
                                if text == "grid2d:9" and repeat == 4 and name == "portable":
                                    samples *= 2
                                if text == "grid2d:9" and name == "multi-kernel":
                                    samples[0] *= 3
                                if text == "rmat:9" and name == "specialised":
                                    samples[::4] *= 4
                                record = fixture_record(app, (text, name), which, samples, session, repeat)
                                if app == "pannotia/mis":
                                    busy = 1 if text == "uniform:9" else 0
                                    record["environment"] = {"watched_ns": 10**9, "others_ns": busy * 10**9, "idle_ns": 10**8}
                                file.write(json.dumps(record) + "\n")


def write_studied(folder):
    """Configurations of oitergb, fg8, sg and wg, whose effects differ between chips and between apps."""
    rng = np.random.default_rng(2018)
    with open(os.path.join(folder, "studied.jsonl"), "w", encoding="utf-8") as file:
        places = itertools.product(("one", "two"), ("bfs-wl", "tri", "cc"), ("road:9", "rmat:9"))
        for (chip, app, text), bits in itertools.product(places, itertools.product((0, 1), repeat=4)):
            oitergb, fg8, sg, wg = bits
            level = 1e7 * (0.6 if chip == "one" else 1.2) ** oitergb * 0.8 ** fg8 * (0.9 if app == "tri" else 1.1) ** sg
            level *= (0.97 if text == "road:9" else 1.02) ** wg
            for repeat in range(4):
                samples = level * math.exp(rng.normal(0, 0.01)) * np.exp(rng.normal(0, 0.01, 5))
                configuration = {"coop_cv": "off", "fg": 8 * fg8, "sg": ("off", "on")[sg], "wg": ("off", "on")[wg]}
                words = " ".join(f"{name}={value}" for name, value in configuration.items())
                file.write(json.dumps({
                    "schema": 4, "kind": "measure", "chip": chip, "app": "irgl/" + app, "input": text, "outcome": "ok",
                    "variant": ("multi-kernel", "portable")[oitergb], "workgroup": 128, "repeat": repeat,
                    "comparison": f"irgl/{app} {text} {words}", "configuration": configuration,
                    "configuration_from": {name: "option" for name in configuration},
                    "configuration_hash": f"{bits}", "samples_ns": [int(x) for x in samples]}) + "\n")
