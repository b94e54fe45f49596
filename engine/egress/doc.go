// Package egress is subako_http.
package egress
