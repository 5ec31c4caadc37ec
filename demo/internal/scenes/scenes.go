// Package scenes has the scenes of Chentanez et al. 2007 without any picture: liquid, what stands in it and what it pours from. It needs neither a screen nor a
// C compiler.
package scenes

import (
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid"
)

// Scene is a domain, and what is in it at the beginning.
type Scene struct {
	Name   string
	Domain r3.Box  // m
	Cell   float64 // edge of the finest cells by default, m
	// Build puts solids, liquid and openings into a liquid that is empty yet.
	Build func(l *fluid.Liquid) error
}

// New makes a liquid of a definition, whose Domain is the scene's whatever it says, and builds the scene in it. The caller closes it.
func (s *Scene) New(def fluid.Def) (*fluid.Liquid, error) {
	def.Domain = s.Domain
	l, err := fluid.New(def)
	if err != nil {
		return nil, err
	}
	if err := s.Build(l); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}
