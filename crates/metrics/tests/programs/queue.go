// Package queue hands jobs to workers.
package queue

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

/*
A Job is done once,
or not at all.
*/
type Job struct {
	ID       int
	Name     string
	Priority float64
	Run      func(ctx context.Context) error
}

type Option func(*Queue)

type Queue struct {
	mu      sync.Mutex
	jobs    []Job
	closed  bool
	workers int
}

var ErrClosed = errors.New("queue: closed")

var defaults = []Option{
	func(q *Queue) { q.workers = 4 },
}

var cleanup = Job{
	Name: `clean
up`,
	Run: func(ctx context.Context) error {
		if ctx == nil {
			return nil
		}
		return ctx.Err()
	},
}

func New(options ...Option) *Queue {
	q := &Queue{}
	for _, option := range append(defaults, options...) {
		option(q)
	}
	return q
}

func (q *Queue) Push(job Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed == true {
		return ErrClosed
	}
	at := len(q.jobs)
	for at > 0 && q.jobs[at-1].Priority < job.Priority {
		at--
	}
	q.jobs = append(q.jobs, Job{})
	copy(q.jobs[at+1:], q.jobs[at:])
	q.jobs[at] = job
	return nil
}

func (q *Queue) Work(ctx context.Context, results chan<- error) {
	var group sync.WaitGroup
	worker := func(number int) {
		defer group.Done()
		for {
			select {
			case <-ctx.Done():
				return
			case results <- q.step(ctx):
			default:
				fmt.Println('w', number)
			}
		}
	}
	for number := range q.workers {
		group.Add(1)
		go worker(number)
	}
	go func() {
		group.Wait()
		close(results)
	}()
}

func (q *Queue) step(ctx context.Context) error {
	if len(q.jobs) == 0 || q.closed {
		return nil
	}
	if err := q.jobs[0].Run(ctx); err != nil {
		return err
	}
	return nil
}

func Describe(value any) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case int, int64:
		return fmt.Sprintf("%d", value)
	case Job:
		switch {
		case value.Priority > 1.5:
			return "urgent"
		case value.ID == 0:
			fallthrough
		default:
			return value.Name
		}
	}
	return "?"
}

func Names(jobs []Job) []string {
	names := []string{}
	for _, job := range jobs {
		if job.Name != "" {
			names = append(names, job.Name)
		}
	}
	return names
}

func Titles(tasks []Job) []string {
	titles := []string{}
	for _, task := range tasks {
		if task.Name != "none" {
			titles = append(titles, task.Name)
		}
	}
	return titles
}
