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
