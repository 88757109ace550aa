#!/usr/bin/env python3
"""Print the name of each skipped test of a CTest run, and why it was skipped.

usage: skipped_tests.py REPORT.xml     (from ctest --output-junit)

A test that skips prints a line that begins with `skipped: `.
"""
import sys
import xml.etree.ElementTree

for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
    if case.get("status") not in ("notrun", "disabled"):
        continue
    output = (case.findtext("system-out") or "").splitlines()
    reasons = [line.split("skipped: ", 1)[1] for line in output if "skipped: " in line]
    message = case.find("skipped")
    reasons.append(message.get("message") if message is not None else "it gives no reason")
    print(f"SKIPPED  {case.get('name')}: {reasons[0]}")
