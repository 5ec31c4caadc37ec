package option

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/meniscus3d/meniscus/fluid"
)

type all struct {
	on    bool
	text  string
	n     int
	x     float64
	d     time.Duration
	word  string
	words []string
	size  Size
	track fluid.Tracker
	cells fluid.Discretisation
	made  Liquid
}

func standard() (*Set, *all) {
	a := &all{text: "out", n: 5, x: 1, d: time.Second, word: "orbit", words: []string{"a"}, size: Size{1280, 720}}
	s := New("demo")
	s.Bool(&a.on, "on", "a switch")
	s.Text(&a.text, "text", "a text")
	s.Int(&a.n, 1, 10, "n", "a count")
	s.Number(&a.x, 0.5, 2, "x", "a number")
	s.Duration(&a.d, 0, time.Minute, "d", "a time")
	s.Choice(&a.word, []string{"orbit", "chase"}, "word", "a word")
	s.Choices(&a.words, []string{"a", "b", "c"}, "words", "some words")
	s.Size(&a.size, "size", "a size")
	s.Tracker(&a.track, "track", "a tracker")
	s.Discretisation(&a.cells, "cells", "the cells")
	s.Liquid(&a.made, "made", "a liquid")
	return s, a
}

func TestGoodFlags(t *testing.T) {
	s, a := standard()
	err := s.Parse(strings.Fields("-on -text there -n 10 -x .5 -d 8ms -word chase -words b,c -size 640x360 -track mesh -cells tetrahedra -made honey"))
	if err != nil {
		t.Fatal(err)
	}
	if !a.on || a.text != "there" || a.n != 10 || a.x != .5 || a.d != 8*time.Millisecond || a.word != "chase" ||
		strings.Join(a.words, "") != "bc" || a.size != (Size{640, 360}) || a.track != fluid.ExplicitMesh || a.cells != fluid.Tetrahedra || a.made.Material != fluid.Honey {
		t.Errorf("got %+v", *a)
	}
	if !s.Given("n") {
		t.Error("-n was given")
	}
}

func TestBadFlags(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"-n 0", "from 1 to 10"},
		{"-n 11", "from 1 to 10"},
		{"-n 2.5", "whole number"},
		{"-n", "needs an argument"},
		{"-x NaN", "from 0.5 to 2"},
		{"-x 3", "from 0.5 to 2"},
		{"-d 8", "such as 8ms"},
		{"-d -1s", "from 0s to 1m0s"},
		{"-word spin", "orbit, chase"},
		{"-words a,d", "a, b, c"},
		{"-words a,a", "without repeats"},
		{"-size 640", "WIDTHxHEIGHT"},
		{"-size 640x0", "64 to 7680"},
		{"-size axb", "such as 1280x720"},
		{"-size 640x360x2", "WIDTHxHEIGHT"},
		{"-track surface", "levelset, contour, mesh"},
		{"-cells hexagons", "cubes, tetrahedra"},
		{"-made tar", "oil, honey, milk"},
		{"-text=", "must not be empty"},
		{"-on=maybe", "true or false"},
		{"-colour red", "the flags are"},
		{"file", "only flags are allowed"},
	} {
		s, _ := standard()
		err := s.Parse(strings.Fields(c.args))
		if err == nil {
			t.Errorf("%s: no error", c.args)
			continue
		}
		text := err.Error()
		if !strings.HasPrefix(text, "demo: ") || strings.Contains(text, "\n") || !strings.Contains(text, c.want) {
			t.Errorf("%s: got %q, want one line with %q", c.args, text, c.want)
		}
	}
}

func TestHelp(t *testing.T) {
	s, _ := standard()
	if err := s.Parse([]string{"-h"}); !errors.Is(err, ErrHelp) {
		t.Errorf("got %v, want ErrHelp", err)
	}
	var b strings.Builder
	s.Usage(&b)
	for _, want := range []string{"-size", "1280x720", "a count"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("usage lacks %q: %s", want, b.String())
		}
	}
}
