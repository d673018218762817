// Shapes as triangles, from their parameters, with the exact normals of the surface.
import * as THREE from 'three';

// As fine as is needed: the edge of a round body is off by 0.3 % of its radius, and normals are exact.
const AROUND = 40;
const ALONG = 24;

// The points of the unit superellipse |c|^(2/e) + |s|^(2/e) = 1 in evenly spread directions. Even angles of the usual
// parametrisation would gather the points of angular shapes in their corners.
function superellipse(exponent, from, to, count) {
  const points = [];
  for (let i = 0; i <= count; i++) {
    const angle = from + ((to - from) * i) / count;
    const [c, s] = [snap(Math.cos(angle)), snap(Math.sin(angle))];
    const most = Math.max(Math.abs(c), Math.abs(s));
    const sum = Math.abs(c / most) ** (2 / exponent) + Math.abs(s / most) ** (2 / exponent);
    const radius = sum ** (-exponent / 2) / most;
    points.push([c * radius, s * radius]);
  }
  return points;
}

const snap = (x) => (Math.abs(x) < 1e-12 ? 0 : x);
const slope = (x, exponent) => Math.sign(x) * Math.abs(x) ** (2 / exponent - 1);

// With W and ρ on the profile, (X, Y) on the cross-section and b = r (1 + t W) the tapered radii:
//   x = b₁ ρ X,  y = b₂ ρ Y,  z = r₃ W
// The normal is the gradient of (|x/b₁|^(2/e_xy) + |y/b₂|^(2/e_xy))^(e_xy/e_z) + |z/r₃|^(2/e_z).
export function superovoidArrays(radii, exponentXy, exponentZ, taper, along = ALONG, around = AROUND) {
  const section = superellipse(exponentXy, 0, 2 * Math.PI, around);
  const profile = superellipse(exponentZ, -Math.PI / 2, Math.PI / 2, along);
  const positions = [];
  const normals = [];
  const [r1, r2, r3] = radii;
  for (const [rho, w] of profile) {
    const [g1, g2] = [1 + taper[0] * w, 1 + taper[1] * w];
    const steep = slope(rho, exponentZ);
    for (const [x, y] of section) {
      positions.push(r1 * g1 * rho * x, r2 * g2 * rho * y, r3 * w);
      const [nx, ny] = [steep * slope(x, exponentXy), steep * slope(y, exponentXy)];
      const tilt = (taper[0] * rho * x * nx) / g1 + (taper[1] * rho * y * ny) / g2;
      const nz = slope(w, exponentZ) - tilt;
      const normal = [nx / (r1 * g1), ny / (r2 * g2), nz / r3];
      const length = Math.hypot(...normal);
      if (length > 1e-200 && Number.isFinite(length)) normals.push(...normal.map((n) => n / length));
      else normals.push(0, 0, Math.sign(w) || 1);
    }
  }
  return { positions, normals, along, around };
}

function grid({ positions, normals, along, around }) {
  const triangles = [];
  for (let i = 0; i < along; i++) {
    for (let j = 0; j < around; j++) {
      const a = i * (around + 1) + j;
      const b = a + around + 1;
      if (i > 0) triangles.push(a, a + 1, b + 1);
      if (i < along - 1) triangles.push(a, b + 1, b);
    }
  }
  return arrays(positions, normals, triangles);
}

function arrays(positions, normals, triangles) {
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new THREE.Float32BufferAttribute(normals, 3));
  geometry.setIndex(triangles);
  return geometry;
}

function polyEllipsoid(radii) {
  const unit = superovoidArrays([1, 1, 1], 1, 1, [0, 0]);
  const { positions, normals } = unit;
  for (let i = 0; i < positions.length; i++) {
    const radius = radii[2 * (i % 3) + (positions[i] < 0 ? 1 : 0)];
    normals[i] = positions[i] / radius;
    positions[i] *= radius;
  }
  for (let i = 0; i < normals.length; i += 3) {
    const length = Math.hypot(normals[i], normals[i + 1], normals[i + 2]) || 1;
    for (let k = 0; k < 3; k++) normals[i + k] /= length;
  }
  return grid(unit);
}

// Three.js builds along y, robots along z.
const upright = (geometry) => geometry.rotateX(Math.PI / 2);

export function geometryOf(shape) {
  switch (shape.type) {
    case 'sphere':
      return new THREE.SphereGeometry(shape.radius, 40, 24);
    case 'ellipsoid':
      return grid(superovoidArrays(shape.radii, 1, 1, [0, 0]));
    case 'superellipsoid':
      return grid(superovoidArrays(shape.radii, shape.exponent_xy, shape.exponent_z, [0, 0]));
    case 'superovoid':
      return grid(superovoidArrays(shape.radii, shape.exponent_xy, shape.exponent_z, shape.taper));
    case 'poly_ellipsoid':
      return polyEllipsoid(shape.radii);
    case 'box':
      return new THREE.BoxGeometry(...shape.size);
    case 'cylinder':
      return upright(new THREE.CylinderGeometry(shape.radius, shape.radius, shape.length, 64));
    case 'capsule':
      return upright(new THREE.CapsuleGeometry(shape.radius, shape.length, 16, 48));
    case 'cone':
      return upright(new THREE.ConeGeometry(shape.radius, shape.length, 64));
    default:
      // Other kinds are drawn from the triangles that the server sends.
      return shape.vertices ? arrays(shape.vertices, shape.normals, shape.triangles) : null;
  }
}

export const isSuperquadric = (shape) => shape.type === 'superellipsoid' || shape.type === 'superovoid';
