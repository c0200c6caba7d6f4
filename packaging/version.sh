#!/bin/sh
# The project's version, from the root pom.
exec sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$(dirname "$0")/../pom.xml"
