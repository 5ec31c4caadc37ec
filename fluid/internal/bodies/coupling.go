package bodies

import (
	"gonum.org/v1/gonum/num/quat"
	"gonum.org/v1/gonum/spatial/r3"

	"github.com/meniscus3d/meniscus/fluid/engine"
	"github.com/meniscus3d/meniscus/fluid/internal/arrays"
	"github.com/meniscus3d/meniscus/fluid/internal/remedies"
	"github.com/meniscus3d/meniscus/fluid/internal/rigid"
	"github.com/meniscus3d/meniscus/fluid/reproducible"
)

// Coupling is what a liquid's steps know of the coupled bodies. Slices are per body, in the order of the engine. Obstacles that move follow
// after the bodies in Solids, Rigid and Moved: whoever calls Read appends them.
type Coupling struct {
	Config
	Bodies engine.Bodies // nil: none are coupled
	Mask   uint64        // of the categories of bodies that the liquid takes
	Solids []rigid.Solid
	Rigid  []rigid.Body
	Moved  [][6]float64  // twist of each solid as the substep begins
	Joints []rigid.Joint // and contacts
	Events Events

	// Out are the bodies that stand still for the liquid, and that it does nothing to, by their IDs.
	Out remedies.Out
	// Sanitizer sets aside bodies that tell what no liquid can take.
	Sanitizer Sanitizer
	// Loads are what the liquid did to the bodies.
	Loads Loads

	now           Substep
	places        []r3.Vec  // scratch
	accelerations []r3.Vec  // of the liquid, by gravity and the fields, m/s²
	edges         []float64 // of the cells there, m
	pressed       []float64 // scratch of spare: what contacts press on each body with, N·s

	// ellipsoids are of the bodies that something can move.
	ellipsoids []ellipsoid
	state      []bodyState
	old        []bodyState      // scratch of match
	index      map[uint64]int32 // of state by ID, if indexed
	indexed    bool
	changed    bool // bodies came or went

	// What follows works on a part of the substep each, and has what only that needs.
	constraints constraints
	midway      midwayPoses
	present     []func(dst []float32, pts []r3.Vec) // one per index, made once: where bodies are now
	porous      porousBodies
	slippages   slippages
	unsolved    unsolved
	reaction    reaction
	solves      solves
	shared      *Shared // nil before the first substep
}

// bodyState is what is remembered of a body from step to step.
type bodyState struct {
	id             uint64
	ok             bool // its numbers are finite, and it or what it is joined to may be near the domain
	awake          bool
	justAsleep     bool   // it has just fallen asleep
	fresh          bool   // the next step is the first that reads it under its index
	came           bool   // it was not there at the Read before
	put            bool   // it rests, and is elsewhere or another than in the last step
	known          bool   // its revision is
	kind           int    // as read last
	bad            string // what is wrong with where it is, if anything is
	heldDown       bool   // it would float, but stands on air: the last warning says so
	warned         string // why it is set aside, as the last warning says
	tooFast        string // the warning that it is faster than the substeps follow, once there was one
	wet            bool
	contact        [6]float64 // velocity that contacts added in the last step, beside what the solve knew of them
	clipped        [6]float64 // velocity by which the solve was told less than there is, for a body too fast
	solved         [6]float64 // velocity that the solve gave it
	restLoad       r3.Vec     // load when it fell asleep, N,
	restTurn       r3.Vec     // and its torque about the centre of mass, N·m
	before         [6]float64 // velocity before the step
	pushes         bool       // the liquid pushes it in this substep
	spared         [6]float64 // wrench of contacts that the engine need not find, N and N·m,
	slid           [6]float64 // and by how much friction of it changes the body's velocity
	damping        [6]float64 // wrench that calms the body, N and N·m
	extraWrench    [6]float64 // wrench that the liquid exerts beside the rows' pressure, likewise; one that sleeps keeps it
	unsolvedWrench [6]float64 // of that, what is no part of the solve
	subgrid        bool       // the grid takes it for a porous one, at least in part
	submersion     submersion // if so
	placed         bool       // the grid knows the body where it was last:
	centre         r3.Vec
	turned         quat.Number
	bounds         r3.Box
	revision       uint64
	seen           rigid.Pose // when the surface was moved last,
	last           rigid.Pose // and the time before
}

// New makes a Coupling to no bodies.
func New(config Config) *Coupling {
	c := &Coupling{Config: config}
	c.Sanitizer.c, c.Loads.c, c.constraints.c, c.midway.c, c.porous.c, c.unsolved.c = c, c, c, c, c, c
	c.slippages = slippages{c: c, scratch: make([]slippageScratch, config.Pool.Workers())}
	c.reaction = reaction{graph: config.Graph, now: &c.now}
	c.constraints.visit = c.constraints.readContact
	return c
}

// Couple takes on the bodies of an engine, or none if b is nil, with categories in the mask. Nothing is known of them.
func (c *Coupling) Couple(b engine.Bodies, mask uint64) {
	c.Bodies, c.Mask, c.indexed = b, mask, false
	c.state, c.Loads.body = c.state[:0], c.Loads.body[:0]
}

// Count is how many bodies there are now.
func (c *Coupling) Count() int {
	if c.Bodies == nil {
		return 0
	}
	return max(0, c.Bodies.Len())
}

// Known is how many bodies there were at the last Read.
func (c *Coupling) Known() int { return len(c.state) }

// ID is the identity of the body with an index less than Known, as it was at the last Read.
func (c *Coupling) ID(i int) uint64 { return c.state[i].id }

// Takes tells whether body i is one that the liquid takes.
func (c *Coupling) Takes(i int) bool {
	from, can := c.Bodies.(engine.Filtering)
	return !can || from.LiquidCategory(i)&c.Mask != 0
}

// HoldLoads has what the game has applied to the bodies act until ReleaseLoads, if they can tell when that is.
func (c *Coupling) HoldLoads() {
	if to, can := c.Bodies.(engine.Holding); can {
		to.HoldLoads()
	}
}

// ReleaseLoads ends what HoldLoads began.
func (c *Coupling) ReleaseLoads() {
	if to, can := c.Bodies.(engine.Holding); can {
		to.ReleaseLoads()
	}
}

// match keeps what is remembered with the body it belongs to when bodies came or went.
func (c *Coupling) match(n int) {
	c.midway.grow(n)
	defer c.Sanitizer.matchGuards()
	same := len(c.state) == n
	for i := 0; same && i < n; i++ {
		same = c.state[i].id == c.Bodies.ID(i)
	}
	if same {
		return
	}
	old, index, kept := append(c.old[:0], c.state...), c.indices(), 0
	c.old, c.indexed = old, false
	c.state, c.Loads.body = arrays.Resize(c.state, n), arrays.Resize(c.Loads.body, n)
	clear(c.Loads.body)
	for i := range n {
		id := c.Bodies.ID(i)
		c.state[i] = bodyState{id: id, fresh: true, came: true}
		if was, known := index[id]; known {
			kept++
			c.state[i] = old[was]
			if int(was) != i { // what the grid knows is by index
				c.state[i].placed, c.state[i].fresh = false, true
			}
		}
	}
	c.changed = c.changed || kept < len(old) // a copy doesn't know where one was that has gone
}

// mayDisplace tells whether a body within some bounds, m, may have liquid in its place: not if that is far, nor if the surface is farther off
// from their middle than their corners, by a cell. How far it is, is known for a few cells only.
func (c *Coupling) mayDisplace(bounds r3.Box) bool {
	if !c.Liquid.Near(bounds) {
		return false
	}
	lo, hi := bounds.Min, bounds.Max
	at, distance := [1]r3.Vec{{X: (lo.X + hi.X) / 2, Y: (lo.Y + hi.Y) / 2, Z: (lo.Z + hi.Z) / 2}}, [1]float32{}
	c.Liquid.Distance(distance[:], at[:])
	radius := float64(reproducible.Norm(r3.Sub(hi, lo)) / 2)
	return !(float64(distance[0]) > radius+c.CellSize)
}

// indices are where the state of each body is, by its ID.
func (c *Coupling) indices() map[uint64]int32 {
	if !c.indexed {
		if c.indexed = true; c.index == nil {
			c.index = map[uint64]int32{}
		}
		clear(c.index)
		for i := range c.state {
			c.index[c.state[i].id] = int32(i)
		}
	}
	return c.index
}
