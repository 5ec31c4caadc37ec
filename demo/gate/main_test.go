package main

import (
	"testing"

	"github.com/meniscus3d/meniscus/demo/internal/playtest"
)

func TestMain(m *testing.M) { playtest.Main(m, &demo, .1) }

func TestExitCodes(t *testing.T)           { playtest.ExitCodes(t) }
func TestHeadless(t *testing.T)            { playtest.Headless(t, .1) }
func TestWindowTakesEveryKey(t *testing.T) { playtest.Keys(t) }
func TestAsync(t *testing.T)               { playtest.Async(t) }

func TestTraced(t *testing.T)   { playtest.Traced(t, &demo, 0.1) }
func TestLikeness(t *testing.T) { playtest.Likeness(t, .06, 100, [2]float64{.9, .9}) }

func TestDecor(t *testing.T) { playtest.Decor(t, yard(), domain) }
