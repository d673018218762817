#!/usr/bin/env python3
"""Fits a superquadric to each cloud of a folder with EMS, the code of its authors.

    ems.py EMS_CHECKOUT CLOUDS OUT [--outliers 0.2]

EMS_CHECKOUT is a copy of https://github.com/bmlklwx/EMS-superquadric_fitting (Liu et al., CVPR 2022). CLOUDS has the *.xyz files
that `fit_clouds N SEED write CLOUDS` wrote. OUT gets a line for each cloud, as `fit_clouds N SEED score OUT` reads it.
The share of outliers is told to EMS; everything else has the default of the code. Needs NumPy, SciPy and Numba.
"""
import argparse
import sys
import time
import types
from pathlib import Path

import numpy

# The code was written for NumPy before 1.24, and imports Mayavi for its pictures, which are not drawn here.
numpy.int = int
mayavi = types.ModuleType("mayavi")
mayavi.mlab = types.ModuleType("mayavi.mlab")
sys.modules.update({"mayavi": mayavi, "mayavi.mlab": mayavi.mlab})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("clouds", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--outliers", type=float, default=0.2)
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.checkout / "Python" / "src"))
    from EMS.EMS_recovery import EMS_recovery

    files = sorted(arguments.clouds.glob("*.xyz"))
    if not files:
        sys.exit(f"{arguments.clouds} has no files *.xyz")
    # The first call compiles.
    EMS_recovery(numpy.loadtxt(files[0]), OutlierRatio=arguments.outliers)
    failed = 0
    begin = time.process_time()
    with arguments.out.open("w") as out:
        for file in files:
            try:
                found, _ = EMS_recovery(numpy.loadtxt(file), OutlierRatio=arguments.outliers)
            except Exception as error:  # what their code or SciPy raises: the cloud counts as not found
                print(f"{file.stem}: {error}", file=sys.stderr)
                failed += 1
                continue
            numbers = [*found.shape, *found.scale, *found.RotM.flatten(), *found.translation]
            print(file.stem, *(repr(float(number)) for number in numbers), file=out)
    seconds = time.process_time() - begin
    print(f"EMS: {len(files)} clouds, {failed} failed, {1000 * seconds / len(files):.0f} ms of CPU a cloud")


main()
