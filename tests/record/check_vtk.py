# SPDX-License-Identifier: MIT
"""Reads NAME.pvd and its .vtp files with VTK itself, and compares grains with the CSV of the same run.

Each grain, turned and scaled back, must be the same polygon in every frame; areas are those given; each triangle turns left."""
import math
import os
import sys
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(__file__))
from export_check import arguments, frames_of, near, skip

try:
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
except ImportError:
    skip("VTK for Python is not installed (Debian: python3-vtk9)")


def read(path):
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def cells(data, kind):
    """Point numbers of each cell."""
    array = getattr(data, kind)()
    offsets, corners = array.GetOffsetsArray(), array.GetConnectivityArray()
    at = [int(offsets.GetTuple1(i)) for i in range(offsets.GetNumberOfTuples())]
    return [[int(corners.GetTuple1(k)) for k in range(a, b)] for a, b in zip(at, at[1:])]


def main():
    table, path, area = arguments()
    points_mode = "points" in os.path.basename(path)
    frames = frames_of(table)
    sets = xml.parse(path).getroot().find("Collection").findall("DataSet")
    grains = [s for s in sets if s.get("name") == "bodies"]
    assert len(grains) == len(frames), (len(grains), len(frames))
    reference = {}
    for frame, entry in zip(frames, grains):
        assert float(entry.get("timestep")) == frame[0]["time_s"]
        data = read(os.path.join(os.path.dirname(path), entry.get("file")))
        assert data.GetFieldData().GetArray("TimeValue").GetTuple1(0) == frame[0]["time_s"]
        arrays = {name: data.GetCellData().GetArray(name) for name in
                  ("body", "shape", "material", "velocity", "speed", "spin", "angle", "radius", "mass", "fixed")}
        assert all(arrays.values()), arrays
        rows = {int(r["body"]): r for r in frame}
        found = {}
        for i, corner in enumerate(cells(data, "GetVerts" if points_mode else "GetPolys")):
            found.setdefault(int(arrays["body"].GetTuple1(i)), []).append((i, corner))
        assert sorted(found) == sorted(b for b, r in rows.items() if r["present"]), "not the bodies that are there"
        for body, mine in found.items():
            r, points, total = rows[body], [], 0
            for i, corner in mine:
                for name, column in (("shape", "shape"), ("material", "material"), ("angle", "angle_rad"),
                                     ("radius", "radius_m"), ("mass", "mass_kg"), ("fixed", "fixed"),
                                     ("spin", "spin_rad_per_s")):
                    assert near(arrays[name].GetTuple1(i), r[column], 0, 1e-6), (name, body)
                v = arrays["velocity"].GetTuple3(i)
                assert near(v[0], r["vx_m_per_s"], 1, 1e-6) and near(v[1], r["vy_m_per_s"], 1, 1e-6) and v[2] == 0
                assert near(arrays["speed"].GetTuple1(i), math.hypot(v[0], v[1]), 1, 1e-6)
                p = [data.GetPoint(k) for k in corner]
                # into the body's own frame
                c, s, scale = math.cos(r["angle_rad"]), math.sin(r["angle_rad"]), r["scale"]
                p = [((c * (x - r["x_m"]) + s * (y - r["y_m"])) / scale, (c * (y - r["y_m"]) - s * (x - r["x_m"])) / scale)
                     for x, y, _ in p]
                part = sum(p[k - 1][0] * q[1] - p[k - 1][1] * q[0] for k, q in enumerate(p)) / 2
                assert points_mode or part > 0, "a cell turns right"
                total += part
                points += p
            if points_mode:
                assert points == [(0, 0)]
                continue
            known = reference.setdefault(int(r["shape"]), points)
            size = max(map(max, known))
            assert len(known) == len(points)
            assert all(near(a, b, size) for p, q in zip(known, points) for a, b in zip(p, q)), f"body {body} is bent"
            assert near(total, area[int(r["shape"])], 0, 0.01), (total, area, body)
    for s in sets:
        if s.get("name") == "bodies":
            continue
        data = read(os.path.join(os.path.dirname(path), s.get("file")))
        names = {"contacts": ("a", "b", "gap", "normal_force", "tangential_force"), "walls": ("wall",)}
        lines = cells(data, "GetLines")
        for name in names[s.get("name")]:
            array = data.GetCellData().GetArray(name)
            assert array and array.GetNumberOfTuples() == len(lines), name
        if s.get("name") == "contacts":  # a line ends in the centre of b
            frame = frames[[g.get("timestep") for g in grains].index(s.get("timestep"))]
            where = {int(r["body"]): (r["x_m"], r["y_m"]) for r in frame}
            for i, (a, b) in enumerate(lines):
                assert data.GetPoint(b)[:2] == where[int(data.GetCellData().GetArray("b").GetTuple1(i))]
                first = int(data.GetCellData().GetArray("a").GetTuple1(i))
                assert first < 0 or data.GetPoint(a)[:2] == where[first]
    print(f"{len(grains)} frames agree")


main()
