package main

import (
	"fmt"
	"os"
	"strconv"
)

func double(word string) string {
	number, err := strconv.Atoi(word)
	if err != nil {
		return word
	}
	return strconv.Itoa(2 * number)
}

func main() {
	fmt.Println(double(os.Args[1]))
}
