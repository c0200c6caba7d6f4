# Sourced by ./tilewright and ./mvnw. find_jdk prints the home of a JDK 25, or one line saying what to install and fails.
# A JDK's own `release` file tells its version: starting every java found to ask it would take seconds.
# shellcheck shell=sh

is_jdk_25() {
    [ -x "$1/bin/javac" ] && grep -q '^JAVA_VERSION="25[".]' "$1/release" 2>/dev/null
}

find_jdk() {
    if [ -n "${TILEWRIGHT_JAVA_HOME:-}" ]; then
        if ! is_jdk_25 "$TILEWRIGHT_JAVA_HOME"; then
            echo "tilewright: TILEWRIGHT_JAVA_HOME=$TILEWRIGHT_JAVA_HOME is not a JDK 25: point it at one, or unset it" >&2
            return 2
        fi
        echo "$TILEWRIGHT_JAVA_HOME"
        return
    fi
    on_path=$(command -v java || true)
    for candidate in "${JAVA_HOME:-}" "${on_path:+$(readlink -f "$on_path" | sed 's:/bin/java$::')}" \
        ${TILEWRIGHT_JDK_FOLDERS-/usr/lib/jvm/* /opt/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*}; do
        if [ -n "$candidate" ] && is_jdk_25 "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "tilewright: no JDK 25 found: install one (for instance Eclipse Temurin 25 under /usr/lib/jvm) or set TILEWRIGHT_JAVA_HOME to its folder" >&2
    return 2
}
