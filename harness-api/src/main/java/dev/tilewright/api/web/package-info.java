/**
 * Pages for people: what the service knows, on the server turned into HTML. Comes in: requests of browsers. Goes out:
 * pages and answers to forms; who asks for the same with a program has the REST resources. Must not know: SQL outside
 * repositories, what is in a kernel.
 */
@NullMarked
package dev.tilewright.api.web;

import org.jspecify.annotations.NullMarked;
