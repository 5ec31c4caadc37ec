package shapes

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"
)

// The dish of the right hand, m: wide enough for a crate of 25 cm, and as thick as the arms. Its middle is level with the wrist.
const (
	dishRadius = .235
	dishThick  = .12
	dishLift   = .035
	dishReach  = .19 // from the wrist to the middle
)

var dishCentre = r3.Add(alongArm(-1, upperArm+forearm), r3.Vec{X: -dishReach})

// figureBox is around the rest pose, and figureCell is what its mesh is made with, m.
var figureBox = r3.Box{Min: r3.Vec{X: -1.15, Y: -.09, Z: -.495}, Max: r3.Vec{X: .9, Y: 1.73, Z: .495}}

const figureCell = .03

// figureParts is the figure in the rest pose. No limb is thinner than 12 cm, so that liquid on cells of 5 cm fills it.
func figureParts() []part {
	parts := []part{
		{Pelvis, .05, lathe{
			profile: [][2]float64{
				{0, 1.08}, {.065, 1.06}, {.072, 1.01}, {.105, .93}, {.145, .85}, {.175, .75}, {.21, .6}, {.255, .43}, {.325, .25}, {.325, .22}, {0, .22},
			},
			round: .035, folds: 8, depth: .022, foldTop: .8, foldFoot: .3,
		}.distance},
		{Spine, .05, capsule(r3.Vec{Y: 1.05}, r3.Vec{Y: 1.13}, .1, .11)},
		{Chest, .05, ellipsoid(r3.Vec{Y: 1.21, Z: .005}, r3.Vec{X: .155, Y: .145, Z: .118})},
		{Chest, .04, capsule(r3.Vec{X: -.12, Y: 1.275}, r3.Vec{X: .12, Y: 1.275}, .07, .07)},
		{Chest, .05, ellipsoid(r3.Vec{X: -.062, Y: 1.215, Z: .075}, r3.Vec{X: .066, Y: .064, Z: .06})},
		{Chest, .05, ellipsoid(r3.Vec{X: .062, Y: 1.215, Z: .075}, r3.Vec{X: .066, Y: .064, Z: .06})},
		{Neck, .05, capsule(r3.Vec{Y: 1.30, Z: -.01}, r3.Vec{Y: 1.44}, .062, .058)},
		{Head, .04, ellipsoid(r3.Vec{Y: 1.515, Z: .012}, r3.Vec{X: .092, Y: .122, Z: .108})},
		{Head, .03, ellipsoid(r3.Vec{Y: 1.575, Z: -.115}, r3.Vec{X: .062, Y: .06, Z: .06})},
	}
	for side, first := range [2][2]Bone{{RightUpperArm, RightThigh}, {LeftUpperArm, LeftThigh}} {
		parts = append(parts, limbs(float64(2*side-1), first[0], first[1])...)
	}
	wrist := alongArm(1, upperArm+forearm)
	tip := r3.Add(wrist, r3.Vec{X: .13 * math.Cos(.3), Y: -.13 * math.Sin(.3)})
	return append(parts,
		part{LeftHand, .02, capsule(wrist, tip, .062, .06)},
		part{RightHand, .05, bowl(dishCentre, dishRadius, dishThick, dishLift)})
}

// limbs are an arm without its hand and a leg with its foot.
func limbs(side float64, arm, leg Bone) []part {
	thigh, knee, ankle := r3.Vec{X: side * hipX, Y: hipY - .08}, r3.Vec{X: side * hipX, Y: kneeY}, r3.Vec{X: side * hipX, Y: ankleY}
	toe := r3.Add(ankle, r3.Vec{X: side * .03, Y: -.025, Z: .1})
	return []part{
		{arm, .05, capsule(alongArm(side, -.01), alongArm(side, upperArm), .068, .063)},
		{arm + 1, .012, capsule(alongArm(side, upperArm), alongArm(side, upperArm+forearm), .063, .061)},
		{leg, .03, capsule(thigh, knee, .085, .085)},
		{leg + 1, .012, capsule(knee, ankle, .085, .08)},
		{leg + 2, .03, capsule(ankle, toe, .08, .065)},
	}
}
