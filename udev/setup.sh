#!/bin/sh
# Prepares a Debian machine for tapkit: installs the packages it needs and, if udev is present, the reader rules and the
# kernel-module blacklist; with --serial also the rules for PN532 boards on serial ports. With --prefix it installs the
# command that was built. Changes only what is missing, so running it again does nothing.
set -eu

build_packages="libpcsclite-dev libnfc-dev libsecp256k1-dev nettle-dev libcurl4-openssl-dev libqrencode-dev libpng-dev libsqlite3-dev pkg-config"
reader_packages="pcscd libccid pinentry-curses"
# vsmartcard-vpcd is the virtual reader; ip gives pcscd its own network while tests run; man, mandoc, zsh and fish check
# the manual and the completions; chromium shows the page; the rest is for the independent programs that
# Tests/Interop/setup-* install, some of which are compiled here (pyscard; plyvel, which has no binary for Python 3.13).
test_packages="vsmartcard-vpcd pinentry-tty electrum iproute2 openssl git ca-certificates python3 python3-venv python3-dev swig gcc g++ libc6-dev libleveldb-dev man-db mandoc zsh fish chromium chromium-driver"
# For .debian/build and .debian/check; the last one for .ci/run.
package_packages="build-essential debhelper dpkg-dev chrpath lintian python3 shellcheck"
swift_wanted="6.1"
# Debian releases on which this is built and tested, with .ci/run and .ci/debian13.
tried_releases="12 13"
rules_file="etc/udev/rules.d/70-tapkit.rules"
serial_rules_file="etc/udev/rules.d/71-tapkit-serial.rules"
blacklist_file="etc/modprobe.d/tapkit-blacklist.conf"
# Below --prefix.
bash_completion="share/bash-completion/completions/tapkit"
zsh_completion="share/zsh/site-functions/_tapkit"
fish_completion="share/fish/vendor_completions.d/tapkit.fish"
user_units="share/systemd/user"

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
check_only=no
with_serial=no
with_judges=no
file_root=""
prefix=""
binary=""
remove=no

usage() {
    cat <<TEXT
Usage: udev/setup.sh [--check] [--serial] [--tests] [--root DIR]
       udev/setup.sh --prefix DIR [--binary FILE] [--check | --remove] [--root DIR]
       udev/setup.sh --help

Installs the Debian packages that tapkit needs and, if udev is present, the reader rules and the blacklist of
kernel modules that take NFC readers away from pcscd. Leaves everything that is already there unchanged. Without root
(or sudo without a password) it only shows what it would do. Tested on Debian 12 (bookworm) and 13 (trixie).

  --check     only report; change nothing
  --serial    also let users open USB-serial bridges (CP210x, CH340, CH9102, FT232, FT231X, PL2303), which PN532 boards
              use, and keep ModemManager off them. This affects every device with such a bridge, and takes its port
              away from the group dialout: read udev/71-tapkit-serial.rules first
  --tests     also install the packages that the tests need, such as Chromium, and download the programs that they check
              tapkit against, into .build: Python packages from PyPI, and a Bitcoin node from Debian sid, which is unpacked
              but not installed. Run it as the user who runs the tests
  --root DIR  put the rules and the blacklist below DIR; leave the packages and the system alone
  --prefix DIR
              install the command, its manual, its completions for bash, zsh and fish, and its units for systemd
              below DIR, for example /usr/local or ~/.local; leave everything else alone. With --root: below that
              DIR, with the rules
  --binary FILE
              the command to install; default: .build/release/tapkit
  --remove    remove what --prefix installed
  --help      show this text

Exit status: 0 ready to build and run; 1 something is missing (with --check: anything; otherwise something needed to
build or test); 64 usage error.
TEXT
}

say() { printf '%s\n' "$*"; }

usage_error() {
    printf 'udev/setup.sh: %s\n\n' "$1" >&2
    usage >&2
    exit 64
}

# Runs one command as root: directly, or with sudo if that needs no password.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo -n -- "$@"
    fi
}

can_be_root() {
    [ "$(id -u)" -eq 0 ] || { command -v sudo >/dev/null 2>&1 && sudo -n true >/dev/null 2>&1; }
}

# Shows the Debian release, if it is a tested one; the version of base-files is that of the release.
release() {
    # shellcheck disable=SC2016 # dpkg-query's own variable
    version=$(dpkg-query -W -f '${Version}\n' base-files 2>/dev/null) || version=""
    for tried in $tried_releases; do
        case "$version" in
            "$tried" | "$tried".* | "$tried"+*)
                say "Debian $tried: tested."
                return
                ;;
        esac
    done
    say "This release is not tested; Debian $(printf '%s' "$tried_releases" | sed 's/ / and /g') are."
}

wanted_packages() {
    printf '%s ' "$build_packages $reader_packages $package_packages"
    [ "$with_judges" = no ] || printf '%s' "$test_packages"
}

missing_packages() {
    for package in $(wanted_packages); do
        # shellcheck disable=SC2016 # dpkg-query's own variable
        case "$(dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null)" in
            installed*) ;;
            *) printf '%s ' "$package" ;;
        esac
    done
}

# Succeeds if all packages are installed at the end.
packages() {
    if ! command -v dpkg-query >/dev/null 2>&1 || ! command -v apt-get >/dev/null 2>&1; then
        say "Packages: this is not a Debian system. Install the equivalents of these:"
        say "  $(wanted_packages)"
        return 1
    fi
    missing=$(missing_packages)
    missing=${missing% }
    if [ -z "$missing" ]; then
        say "Packages: all installed."
        return 0
    fi
    say "Packages missing: $missing"
    [ "$check_only" = no ] || return 1
    if ! can_be_root; then
        say "  Needs root. It would run: apt-get update && apt-get install $missing"
        say "  To install them: sudo $here/setup.sh"
        return 1
    fi
    # One at a time: apt does not run twice.
    as_root flock /etc/apt apt-get update </dev/null || return 1
    # shellcheck disable=SC2086 # one argument per package
    as_root env DEBIAN_FRONTEND=noninteractive \
        flock /etc/apt apt-get install --yes --no-install-recommends $missing </dev/null
}

has_udev() {
    command -v udevadm >/dev/null 2>&1 && { [ -d /etc/udev ] || [ -d /usr/lib/udev/rules.d ]; }
}

# Copies a file to its place, with a mode, unless it is already there. Sets `changed`.
# $4: what it is for and what to do, shown if only root can copy it.
place() {
    source_file="$1"
    target_file="$2"
    if cmp -s "$source_file" "$target_file" && { [ "$3" != 0755 ] || [ -x "$target_file" ]; }; then
        say "$target_file: up to date."
        return 0
    fi
    if [ "$check_only" = yes ]; then
        say "$target_file: missing or different."
        return 1
    fi
    folder=$(dirname -- "$target_file")
    if [ -n "$file_root" ] || can_write "$folder"; then
        mkdir -p -- "$folder" && install -m "$3" -- "$source_file" "$target_file" || return 1
    elif can_be_root; then
        as_root install -D -m "$3" "$source_file" "$target_file" || return 1
    else
        say "$target_file: missing or different. Needs root$4"
        return 1
    fi
    say "$target_file: installed."
    changed=yes
}

# Whether files can be put into a folder, which may not exist yet, without root.
can_write() {
    nearest=$1
    while [ ! -e "$nearest" ]; do nearest=$(dirname -- "$nearest"); done
    [ -d "$nearest" ] && [ -w "$nearest" ]
}

# Applies newly installed files to readers that are already plugged in.
take_effect() {
    subsystems="--subsystem-match=usb"
    if [ "$with_serial" = yes ]; then subsystems="$subsystems --subsystem-match=tty"; fi
    # shellcheck disable=SC2086 # one argument per subsystem
    if ! as_root udevadm control --reload-rules >/dev/null 2>&1 ||
        ! as_root udevadm trigger $subsystems --action=change >/dev/null 2>&1; then
        say "  udev is not running: the rules take effect at its next start."
    fi
    if grep -q '^pn533_usb ' /proc/modules 2>/dev/null; then
        as_root modprobe -r pn533_usb >/dev/null 2>&1 ||
            say "  The module pn533_usb is in use: unplug the reader, then run: sudo modprobe -r pn533_usb"
    fi
}

place_rules() {
    place "$here/$1" "$file_root/$2" 0644 " for a USB reader; to install it: sudo $here/setup.sh"
}

# Succeeds if the rules and the blacklist are in place, or if there is no udev to read them.
reader_files() {
    if [ -z "$file_root" ] && ! has_udev; then
        say "Reader rules: this system has no udev; nothing to install."
        return 0
    fi
    changed=no
    placed=0
    place_rules 70-tapkit.rules "$rules_file" || placed=1
    place_rules tapkit-blacklist.conf "$blacklist_file" || placed=1
    # Once installed, it is kept up to date even without the option.
    if [ "$with_serial" = yes ] || [ -e "$file_root/$serial_rules_file" ]; then
        place_rules 71-tapkit-serial.rules "$serial_rules_file" || placed=1
    fi
    if [ "$changed" = yes ] && [ -z "$file_root" ]; then take_effect; fi
    return $placed
}

# Shows the service's unit for the command below the prefix.
service_unit() {
    command=$(printf '%s/bin/tapkit' "$prefix" | sed 's/%/%%/g')
    while IFS= read -r line; do
        case "$line" in
            'ExecStart="/usr/bin/tapkit"'*) line="ExecStart=\"$command\"${line#*tapkit\"}" ;;
        esac
        printf '%s\n' "$line"
    done <"$here/tapkit.service"
}

# Succeeds if the units are in place, or if systemd cannot start a command below the prefix.
unit_files() {
    case "$prefix" in
        *[\"\'\\]*)
            say "systemd starts no command whose path has quotation marks or backslashes: its units are left out."
            return 0
            ;;
    esac
    service_unit >"$made/tapkit.service" || return 1
    units=0
    place_command "$made/tapkit.service" "$user_units/tapkit.service" 0644 || units=1
    place_command "$here/tapkit.socket" "$user_units/tapkit.socket" 0644 || units=1
    return $units
}

# Succeeds if the command, its manual, its completions and its units are in place.
command_files() {
    if [ ! -x "$binary" ]; then
        say "$binary does not exist. Build it: swift build -c release --static-swift-stdlib --product tapkit"
        return 1
    fi
    if [ "$check_only" = no ] && ! can_write "$file_root$prefix" && ! can_be_root; then
        say "$file_root$prefix: needs root; to install: sudo $here/setup.sh --prefix $prefix"
        return 1
    fi
    made=$(mktemp -d) || return 1
    trap 'rm -rf -- "$made"' EXIT
    "$binary" --generate-manual "$made/man" || return 1
    for shell in bash zsh fish; do
        "$binary" --generate-completion-script "$shell" >"$made/$shell" || return 1
    done
    placed=0
    place_command "$binary" bin/tapkit 0755 || placed=1
    for page in "$made"/man/*; do
        place_command "$page" "share/man/man${page##*.}/$(basename -- "$page")" 0644 || placed=1
    done
    place_command "$made/bash" "$bash_completion" 0644 || placed=1
    place_command "$made/zsh" "$zsh_completion" 0644 || placed=1
    place_command "$made/fish" "$fish_completion" 0644 || placed=1
    unit_files || placed=1
    if [ "$placed" = 0 ] && [ "$check_only" = no ]; then
        # zsh searches these two by default.
        case "$prefix" in
            /usr | /usr/local) ;;
            *) say "For zsh, before compinit in ~/.zshrc: fpath=($prefix/$(dirname -- "$zsh_completion") \$fpath)" ;;
        esac
        say "To remove it: udev/setup.sh --prefix $prefix --remove"
    fi
    return $placed
}

place_command() {
    place "$1" "$file_root$prefix/$2" "$3" "; to install it: sudo $here/setup.sh --prefix $prefix"
}

# Removes what command_files installed.
remove_command() {
    left=0
    for target_file in "$file_root$prefix/bin/tapkit" "$file_root$prefix"/share/man/man1/tapkit.1 \
        "$file_root$prefix"/share/man/man1/tapkit-*.1 "$file_root$prefix"/share/man/man7/tapkit-*.7 \
        "$file_root$prefix/$bash_completion" "$file_root$prefix/$zsh_completion" "$file_root$prefix/$fish_completion" \
        "$file_root$prefix/$user_units/tapkit.socket" "$file_root$prefix/$user_units/tapkit.service"; do
        [ -e "$target_file" ] || continue
        if [ -w "$(dirname -- "$target_file")" ]; then
            rm -f -- "$target_file" || left=1
        elif can_be_root; then
            as_root rm -f "$target_file" || left=1
        else
            say "$target_file: needs root; to remove it: sudo $here/setup.sh --prefix $prefix --remove"
            left=1
            continue
        fi
        say "$target_file: removed."
    done
    return $left
}

# Succeeds if a Swift that can build tapkit is in the PATH.
swift_toolchain() {
    if ! command -v swift >/dev/null 2>&1; then
        if [ -n "${SUDO_USER:-}" ]; then
            say "Swift: not in root's PATH; $SUDO_USER needs $swift_wanted or newer."
            return 0
        fi
        say "Swift: missing. tapkit needs $swift_wanted or newer. Debian 12 has no package of it, and that of Debian 13 is too old: https://www.swift.org/install/linux/"
        return 1
    fi
    if ! answer=$(swift --version 2>&1); then
        say "Swift: does not run: $(printf '%s\n' "$answer" | head -n 1)"
        say "  Swift itself needs these Debian packages: https://www.swift.org/install/linux/tarball/"
        return 1
    fi
    found=$(printf '%s\n' "$answer" | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1)
    if [ "$(printf '%s\n%s\n' "$swift_wanted" "$found" | sort -V | head -n 1)" = "$swift_wanted" ]; then
        say "Swift: $found."
    else
        say "Swift: ${found:-unknown version}, but tapkit needs $swift_wanted or newer: https://www.swift.org/install/linux/"
        return 1
    fi
}

# Succeeds if the programs that the tests check tapkit against are there.
judges() {
    for part in python node; do
        if [ "$check_only" = yes ]; then
            "$here/../Tests/Interop/setup-$part" --check || return 1
        else
            "$here/../Tests/Interop/setup-$part" || return 1
        fi
    done
}

while [ $# -gt 0 ]; do
    case "$1" in
        --check) check_only=yes ;;
        --serial) with_serial=yes ;;
        --tests) with_judges=yes ;;
        --root)
            shift
            file_root=${1:-}
            file_root=${file_root%/}
            [ -n "$file_root" ] || usage_error "--root needs a directory other than the system's root."
            ;;
        --prefix)
            shift
            prefix=${1:-}
            prefix=${prefix%/}
            case "$prefix" in
                /*) ;;
                *) usage_error "--prefix needs the absolute path of a directory other than the system's root." ;;
            esac
            ;;
        --binary)
            shift
            binary=${1:-}
            [ -n "$binary" ] || usage_error "--binary needs a file."
            ;;
        --remove) remove=yes ;;
        --help | -h)
            usage
            exit 0
            ;;
        *) usage_error "unknown argument: $1" ;;
    esac
    shift
done

if [ -z "$prefix" ]; then
    if [ "$remove" = yes ] || [ -n "$binary" ]; then usage_error "--binary and --remove need --prefix."; fi
elif [ "$remove" = yes ]; then
    [ "$check_only" = no ] || usage_error "Use either --check or --remove, not both."
    remove_command
    exit
else
    binary=${binary:-$(dirname -- "$here")/.build/release/tapkit}
    ready=0
    if [ -n "$file_root" ]; then reader_files || ready=1; fi
    command_files || ready=1
    exit $ready
fi

if [ -n "$file_root" ]; then
    reader_files
    exit
fi

ready=0
release
packages || ready=1
# Without root you can still build, run the demo and the tests; only a USB reader needs these files.
reader_files || [ "$check_only" = no ] || ready=1
swift_toolchain || ready=1
if [ "$with_judges" = yes ] && { [ "$ready" = 0 ] || [ "$check_only" = yes ]; }; then judges || ready=1; fi
exit $ready
