package shapes

import (
	"math"

	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"
)

// Bone names a part of the figure that moves as a whole. The figure looks along +z, so its left is at +x.
type Bone int

// The figure's bones.
const (
	Root Bone = iota // between the feet: where the figure stands, turned and stretched with all of it
	Pelvis
	Spine
	Chest
	Neck
	Head
	LeftUpperArm
	LeftForearm
	LeftHand
	RightUpperArm
	RightForearm
	RightHand // a level dish, whatever the arm does
	LeftThigh
	LeftShin
	LeftFoot
	RightThigh
	RightShin
	RightFoot
	skirt // and more panels of it, anticlockwise seen from above, from the front on

	panels = 6
	bones  = int(skirt) + panels
)

// joint is where a bone hangs on its parent, m, in the rest pose.
type joint struct {
	parent Bone
	at     r3.Vec
}

// Measures of the rest pose, m. The arms hang armFall below the horizontal.
const (
	shoulderX, shoulderY = .165, 1.285
	upperArm, forearm    = .25, .24
	armFall              = 30 * math.Pi / 180
	hipX, hipY           = .125, .75
	kneeY, ankleY        = .46, .09
	waistY               = .97
	hingeRadius          = .09 // of the skirt's panels
)

// alongArm is the place at a length from the shoulder; side is 1 for the left arm and -1 for the right one.
func alongArm(side, length float64) r3.Vec {
	return r3.Vec{X: side * (shoulderX + length*math.Cos(armFall)), Y: shoulderY - length*math.Sin(armFall)}
}

// panelAngle is the direction of a panel from the front, about the vertical.
func panelAngle(i int) float64 { return 2 * math.Pi * float64(i) / panels }

// skeleton lists the joints, parents first.
func skeleton() (s [bones]joint) {
	s[Root] = joint{Root, r3.Vec{}}
	s[Pelvis] = joint{Root, r3.Vec{Y: .93}}
	s[Spine] = joint{Pelvis, r3.Vec{Y: 1.02}}
	s[Chest] = joint{Spine, r3.Vec{Y: 1.13}}
	s[Neck] = joint{Chest, r3.Vec{Y: 1.33}}
	s[Head] = joint{Neck, r3.Vec{Y: 1.42}}
	for i, first := range [2][2]Bone{{RightUpperArm, RightThigh}, {LeftUpperArm, LeftThigh}} {
		side, arm, leg := float64(2*i-1), first[0], first[1]
		s[arm] = joint{Chest, alongArm(side, 0)}
		s[arm+1] = joint{arm, alongArm(side, upperArm)}
		s[arm+2] = joint{arm + 1, alongArm(side, upperArm+forearm)}
		s[leg] = joint{Pelvis, r3.Vec{X: side * hipX, Y: hipY}}
		s[leg+1] = joint{leg, r3.Vec{X: side * hipX, Y: kneeY}}
		s[leg+2] = joint{leg + 1, r3.Vec{X: side * hipX, Y: ankleY}}
	}
	for i := range panels {
		sin, cos := math.Sincos(panelAngle(i))
		s[int(skirt)+i] = joint{Pelvis, r3.Vec{X: hingeRadius * sin, Y: waistY, Z: hingeRadius * cos}}
	}
	return s
}

// mat3 is a matrix by rows.
type mat3 [9]float64

func (a *mat3) times(b *mat3) (c mat3) {
	for i := range 3 {
		for j := range 3 {
			c[3*i+j] = a[3*i]*b[j] + a[3*i+1]*b[3+j] + a[3*i+2]*b[6+j]
		}
	}
	return c
}

func (a *mat3) plus(b *mat3) (c mat3) {
	for i := range c {
		c[i] = a[i] + b[i]
	}
	return c
}

func (a *mat3) apply(p r3.Vec) r3.Vec {
	return r3.Vec{
		X: a[0]*p.X + a[1]*p.Y + a[2]*p.Z,
		Y: a[3]*p.X + a[4]*p.Y + a[5]*p.Z,
		Z: a[6]*p.X + a[7]*p.Y + a[8]*p.Z,
	}
}

// varying is a matrix and its rate of change, 1/s.
type varying struct{ value, rate mat3 }

func (a varying) times(b varying) varying {
	forward, behind := a.rate.times(&b.value), a.value.times(&b.rate)
	return varying{a.value.times(&b.value), forward.plus(&behind)}
}

func diagonal(x, y, z float64) mat3 { return mat3{0: x, 4: y, 8: z} }

// rotation turns about an axis, 0 to 2 for x to z, by an angle with a rate.
func rotation(axis int, angle, rate float64) varying {
	sin, cos := math.Sincos(angle)
	u, v := (axis+1)%3, (axis+2)%3
	var r varying
	r.value[4*axis] = 1
	r.value[4*u], r.value[4*v] = cos, cos
	r.value[3*v+u], r.value[3*u+v] = sin, -sin
	r.rate[4*u], r.rate[4*v] = -rate*sin, -rate*sin
	r.rate[3*v+u], r.rate[3*u+v] = rate*cos, -rate*cos
	return r
}

// turned is a joint's rotation: about x, then z, then y.
func turned(angles, rates r3.Vec) varying {
	return rotation(1, angles.Y, rates.Y).times(rotation(2, angles.Z, rates.Z)).times(rotation(0, angles.X, rates.X))
}

// quaternion is that of a rotation.
func (a *mat3) quaternion() quat.Number {
	// The largest part is divided by, so that none is lost to rounding.
	squares := [4]float64{1 + a[0] + a[4] + a[8], 1 + a[0] - a[4] - a[8], 1 - a[0] + a[4] - a[8], 1 - a[0] - a[4] + a[8]}
	largest := 0
	for i, s := range squares {
		if s > squares[largest] {
			largest = i
		}
	}
	r := math.Sqrt(squares[largest]) / 2
	x, y, z := (a[7]-a[5])/(4*r), (a[2]-a[6])/(4*r), (a[3]-a[1])/(4*r)
	xy, yz, zx := (a[1]+a[3])/(4*r), (a[5]+a[7])/(4*r), (a[2]+a[6])/(4*r)
	switch largest {
	case 0:
		return quat.Number{Real: r, Imag: x, Jmag: y, Kmag: z}
	case 1:
		return quat.Number{Real: x, Imag: r, Jmag: xy, Kmag: zx}
	case 2:
		return quat.Number{Real: y, Imag: xy, Jmag: r, Kmag: yz}
	}
	return quat.Number{Real: z, Imag: zx, Jmag: yz, Kmag: r}
}
