"""Grasps judged by scipy.

Reads one JSON object a line: {"wrenches": [[six numbers]], "hull": bool, "programme": bool, true if left out}. Writes one line each: {"t", "rank", "epsilon", "volume"}.
t is the largest least weight of a combination with weights of sum one that is zero, by a linear programme (HiGHS): positive with rank
six exactly for force closure, null when no combination is zero. ε and the volume are those of Qhull, when asked for.
"""

import json
import sys

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull


def closure(wrenches):
    count = len(wrenches)
    cost = np.zeros(count + 1)
    cost[-1] = -1.0
    equal = np.zeros((7, count + 1))
    equal[:6, :count] = wrenches.T
    equal[6, :count] = 1.0
    right = np.zeros(7)
    right[6] = 1.0
    # t − λ ≤ 0.
    below = np.hstack([-np.eye(count), np.ones((count, 1))])
    bounds = [(0, None)] * count + [(None, None)]
    found = linprog(cost, A_ub=below, b_ub=np.zeros(count), A_eq=equal, b_eq=right, bounds=bounds, method="highs")
    return found.x[-1] if found.status == 0 else None


def main():
    for line in sys.stdin:
        request = json.loads(line)
        wrenches = np.array(request["wrenches"])
        answer = {"t": closure(wrenches) if request.get("programme", True) else None, "rank": int(np.linalg.matrix_rank(wrenches)), "epsilon": None, "volume": None}
        if request["hull"]:
            hull = ConvexHull(wrenches)
            answer["epsilon"] = max(0.0, float(np.min(-hull.equations[:, -1])))
            answer["volume"] = float(hull.volume)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
