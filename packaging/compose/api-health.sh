#!/bin/bash
# Healthy when the service says so; bash's /dev/tcp, because the image has no HTTP client.
exec 3<>/dev/tcp/127.0.0.1/8080
printf 'GET /actuator/health/readiness HTTP/1.0\r\nHost: localhost\r\n\r\n' >&3
read -r _ status _ <&3
[ "$status" = 200 ]
