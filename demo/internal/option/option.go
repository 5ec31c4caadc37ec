// Package option reads the demos' flags: each value knows its limits, and what is wrong
// with a command line is told in one line that says what is allowed.
package option

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrHelp says that the command line asked for help.
var ErrHelp = flag.ErrHelp

// Set is a demo's flags. Make one with New.
type Set struct {
	flags    *flag.FlagSet
	operands []operand
	notes    []string
}

// operand is an argument that follows the flags.
type operand struct {
	p    *string
	name string
}

// New returns an empty set for a demo of that name.
func New(name string) *Set {
	s := &Set{flags: flag.NewFlagSet(name, flag.ContinueOnError)}
	s.flags.SetOutput(io.Discard)
	s.flags.Usage = func() {}
	return s
}

// Parse reads the arguments, without the program's name. It returns ErrHelp for -h, or an
// error of one line.
func (s *Set) Parse(args []string) error {
	err := s.flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return ErrHelp
	case err != nil && strings.HasPrefix(err.Error(), "flag provided but not defined"):
		return fmt.Errorf("%s: %v; the flags are %s", s.flags.Name(), err, s.names())
	case err != nil:
		return fmt.Errorf("%s: %s", s.flags.Name(), strings.ReplaceAll(err.Error(), "parse error", "must be true or false"))
	case s.flags.NArg() > len(s.operands):
		return fmt.Errorf("%s: unexpected argument %q; only flags are allowed: %s", s.flags.Name(), s.flags.Arg(len(s.operands)), s.names())
	}
	for i, arg := range s.flags.Args() {
		*s.operands[i].p = arg
	}
	return nil
}

// Usage writes what the flags mean.
func (s *Set) Usage(w io.Writer) {
	s.flags.SetOutput(w)
	fmt.Fprintf(w, "usage of %s:", s.flags.Name())
	for _, o := range s.operands {
		fmt.Fprintf(w, " [%s]", o.name)
	}
	fmt.Fprintln(w)
	s.flags.PrintDefaults()
	s.flags.SetOutput(io.Discard)
	for _, note := range s.notes {
		fmt.Fprintln(w, note)
	}
}

// BadUsage is the exit code for a command line that is not right.
const BadUsage = 2

// Ends tells whether the program ends with what Parse, or what the program itself found wrong with the command line,
// has returned, and with which exit code: after the usage, or the one line that says what is wrong.
func (s *Set) Ends(err error, out, errs io.Writer) (code int, ends bool) {
	switch {
	case errors.Is(err, ErrHelp):
		s.Usage(out)
		return 0, true
	case err != nil:
		fmt.Fprintln(errs, err)
		return BadUsage, true
	}
	return 0, false
}

// Given reports whether the command line set the flag.
func (s *Set) Given(name string) bool {
	found := false
	s.flags.Visit(func(f *flag.Flag) { found = found || f.Name == name })
	return found
}

func (s *Set) names() string {
	var names []string
	s.flags.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
	return strings.Join(names, " ")
}

// Operand adds an argument that may follow the flags; it stays as it is if none does.
func (s *Set) Operand(p *string, name string) { s.operands = append(s.operands, operand{p, name}) }

// Note adds a line below the flags' usage.
func (s *Set) Note(line string) { s.notes = append(s.notes, line) }

// Bool adds a flag that is on or off.
func (s *Set) Bool(p *bool, name, usage string) { s.flags.BoolVar(p, name, *p, usage) }

// Text adds a flag of any text but the empty one.
func (s *Set) Text(p *string, name, usage string) {
	s.add(name, usage, *p, func(v string) error {
		if v == "" {
			return errors.New("must not be empty")
		}
		*p = v
		return nil
	})
}

// Int adds a whole number from lo to hi.
func (s *Set) Int(p *int, lo, hi int, name, usage string) {
	limited(s, p, lo, hi, name, usage, strconv.Atoi, fmt.Sprintf("must be a whole number from %d to %d", lo, hi))
}

// Number adds a number from lo to hi.
func (s *Set) Number(p *float64, lo, hi float64, name, usage string) {
	read := func(v string) (float64, error) { return strconv.ParseFloat(v, 64) }
	limited(s, p, lo, hi, name, usage, read, fmt.Sprintf("must be a number from %g to %g", lo, hi))
}

// Duration adds a time from lo to hi.
func (s *Set) Duration(p *time.Duration, lo, hi time.Duration, name, usage string) {
	limited(s, p, lo, hi, name, usage, time.ParseDuration, fmt.Sprintf("must be a time from %v to %v, such as 8ms", lo, hi))
}

// limited adds a value from lo to hi. must: what is said of any other.
func limited[T cmp.Ordered](s *Set, p *T, lo, hi T, name, usage string, read func(string) (T, error), must string) {
	s.add(name, usage, fmt.Sprint(*p), func(v string) error {
		x, err := read(v)
		if err != nil || !(x >= lo && x <= hi) {
			return errors.New(must)
		}
		*p = x
		return nil
	})
}

// Choice adds one of several words.
func (s *Set) Choice(p *string, words []string, name, usage string) {
	s.choose(*p, words, name, usage, func(i int) { *p = words[i] })
}

// choose adds one of several words, and tells which of them the command line has.
func (s *Set) choose(word string, words []string, name, usage string, chosen func(i int)) {
	s.add(name, usage, word, func(v string) error {
		i := slices.Index(words, v)
		if i < 0 {
			return fmt.Errorf("must be one of %s", strings.Join(words, ", "))
		}
		chosen(i)
		return nil
	})
}

// Choices adds a list, with commas, of some of the words, each at most once.
func (s *Set) Choices(p *[]string, words []string, name, usage string) {
	s.add(name, usage, strings.Join(*p, ","), func(v string) error {
		var picked []string
		for _, item := range strings.Split(v, ",") {
			item = strings.TrimSpace(item)
			if !slices.Contains(words, item) || slices.Contains(picked, item) {
				return fmt.Errorf("must be a list, with commas and without repeats, of %s", strings.Join(words, ", "))
			}
			picked = append(picked, item)
		}
		*p = picked
		return nil
	})
}

// Size is a picture's, in pixels.
type Size struct{ Width, Height int }

// Limits of a picture's edges, pixels.
const (
	LeastEdge = 64
	MostEdge  = 7680
)

func (z Size) String() string { return fmt.Sprintf("%dx%d", z.Width, z.Height) }

// Size adds a picture's size, such as 1280x720.
func (s *Set) Size(p *Size, name, usage string) {
	s.add(name, usage, p.String(), func(v string) error {
		w, h, ok := strings.Cut(v, "x")
		width, errW := strconv.Atoi(w)
		height, errH := strconv.Atoi(h)
		good := func(n int) bool { return n >= LeastEdge && n <= MostEdge }
		if !ok || errW != nil || errH != nil || !good(width) || !good(height) {
			return fmt.Errorf("must be WIDTHxHEIGHT, each from %d to %d, such as 1280x720", LeastEdge, MostEdge)
		}
		*p = Size{width, height}
		return nil
	})
}

// add adds a flag that a function reads. standard: what the usage names as its default.
func (s *Set) add(name, usage, standard string, read func(string) error) {
	s.flags.Func(name, usage, read)
	s.flags.Lookup(name).DefValue = standard
}
