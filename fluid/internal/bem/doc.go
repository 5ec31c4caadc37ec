// Package bem has boundary integrals of the Laplace equation over closed surfaces of flat triangles, and over closed polygons in the plane, and solves with them:
// the normal derivative of the harmonic function with given boundary values, or mixed conditions, the harmonic mass of every face, the field without divergence
// and curl that has given sources on the boundary. It knows no liquid.
//
// Green's function is G(x, y) = 1/(4π|x-y|). Inside of a closed surface with the outer normal n a harmonic function is
//
//	φ(x) = ∮ q G dy - ∮ φ ∂G/∂n dy,   q = ∂φ/∂n,
//
// and on a smooth part of the boundary the left side is φ/2. Here q is constant on each face, φ is linear on each face, with values at the vertices; equations
// hold in the mean over each face. The matrix of the first integral, the single layer, is symmetric and positive definite.
//
// Integrals over a triangle that is near are in closed form, and their means over the other triangle a quadrature with three points; those over one that is far
// are expansions about centroids. See farRatio for the error.
//
// A surface bounds one connected region: an outer side, and a side for each cavity. Triangles are counter-clockwise seen from outside of the region. Lengths are in
// any one unit. All functions give the same bits on every machine. Workspaces allocate nothing once they are long enough.
//
// Sources: Brochu 2006, Fluid Animation with Explicit Surface Meshes and Boundary-Only Dynamics, chapter 5; Da, Hahn, Batty, Wojtan, Grinspun 2016,
// Surface-Only Liquids; Steinbach 2008, Numerical Approximation Methods for Elliptic Boundary Value Problems, chapters 10 and 12.
package bem
