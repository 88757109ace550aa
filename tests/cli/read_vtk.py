#!/usr/bin/env python3
"""Read files of --out with VTK's own readers and compare them with the JSON lines of the same run.

read_vtk.py SERIES.pvd CONTACTS.vtp CONTACTS.jsonl     (files of one run)
Needs Debian's python3-vtk9. Ends with 77 without it."""
import json
import os
import sys
import xml.etree.ElementTree as xml

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLUnstructuredGridReader
except ImportError:
    sys.exit(77)

KINDS = ["tt", "et", "vf", "ee", "ve", "vv", "vt", "inside"]


def read(path):
    reader = vtkXMLUnstructuredGridReader() if path.endswith(".vtu") else vtkXMLPolyDataReader()
    errors = []
    reader.AddObserver("ErrorEvent", lambda *about: errors.append(about))
    reader.SetFileName(path)
    reader.Update()
    assert not errors, path
    return reader.GetOutput()


def numbers_of(array):
    convert = int if array.GetDataTypeAsString() == "int" else float
    return [convert(array.GetTuple1(i)) for i in range(array.GetNumberOfTuples())]


def column(data, name):
    return numbers_of(data.GetCellData().GetArray(name))


def check_contacts(path, contacts):
    """One vertex cell for each contact, then segments, then polygons."""
    data = read(path)
    shapes = [[c for c in contacts if low <= len(c.get("points", ())) <= high] for low, high in ((2, 2), (3, 6))]
    assert data.GetNumberOfVerts() == len(contacts), (path, data.GetNumberOfVerts(), len(contacts))
    assert data.GetNumberOfLines() == len(shapes[0]) and data.GetNumberOfPolys() == len(shapes[1]), path
    owners = contacts + shapes[0] + shapes[1]
    assert column(data, "kind") == [KINDS.index(c["kind"]) for c in owners]
    for name in ("step", "body_a", "body_b"):
        assert column(data, name) == [c[name] for c in owners], (path, name)
    assert column(data, "toi") == [c.get("toi", 1.0) for c in owners]
    assert column(data, "place") == [c.get("place", -1) for c in owners]
    assert column(data, "a0") == [c.get("a", c.get("vertex", c.get("edge_a", [-1])[0] if "edge_a" in c else -1)) for c in owners]
    for i, contact in enumerate(owners[len(contacts) :], len(contacts)):
        points = data.GetCell(i).GetPoints()
        got = [list(points.GetPoint(k)) for k in range(points.GetNumberOfPoints())]
        assert got == contact["points"], (path, i, got, contact["points"])
    severity = column(data, "severity")
    for worse, contact in zip(severity, owners):
        if "toi" in contact:
            assert worse == 1 - contact["toi"]
        assert worse >= 0
    return len(contacts)


def check_mesh(path, contacts):
    data = read(path)
    bodies, touched = column(data, "body"), column(data, "contacts")
    numbers = column(data, "tet" if path.endswith(".vtu") else "face")
    assert len(set(zip(bodies, numbers))) == len(bodies) or not path.endswith(".vtu")
    wanted = {}
    for c in contacts:
        if c["kind"] == "tt":
            sides = [(c["body_a"], c["a"]), (c["body_b"], c["b"])]
        elif c["kind"] in ("vf", "et"):
            sides = [(c["body_b"], c["face"])]
        elif c["kind"] == "vt":
            sides = [(c["body_b"], c["tet"])]
        else:
            sides = []
        for side in sides:
            wanted[side] = wanted.get(side, 0) + 1
    got = {}
    for body, number, count in zip(bodies, numbers, touched):
        if count:
            got[body, number] = got.get((body, number), 0) + count
    assert got == wanted, (path, got, wanted)
    vertices = sum(numbers_of(data.GetPointData().GetArray("contacts")))
    ends = sum("vertex" in c for c in contacts) + 4 * sum(c["kind"] == "ee" for c in contacts)
    ends += sum("vertex_b" in c for c in contacts) + 2 * sum(c["kind"] == "et" for c in contacts)
    ends += 2 * sum(c["kind"] == "ve" for c in contacts)
    assert vertices == ends, (path, vertices, ends)
    return len(bodies)


def main(series, single, lines):
    contacts = [json.loads(line) for line in open(lines)]
    total = check_contacts(single, contacts)
    meshes = found = 0
    steps = {}
    for entry in xml.parse(series).getroot().iter("DataSet"):
        path = os.path.join(os.path.dirname(series), entry.get("file"))
        number = int(path[-10:-4])
        of_step = [c for c in contacts if c["step"] == number]
        if entry.get("name") == "contacts":
            found += check_contacts(path, of_step)
        else:
            meshes += check_mesh(path, of_step)
            steps[number] = float(entry.get("timestep"))
    assert found == total, (found, total)
    assert list(steps) == list(range(len(steps))) and sorted(steps.values()) == list(steps.values())
    print(f"{total} contacts, {meshes} cells of meshes, {len(steps)} steps")


main(*sys.argv[1:])
