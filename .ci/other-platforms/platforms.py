"""Says how each platform is compiled on Linux: for which target, with which headers and which stand-ins.

The C library is named SwiftGlibc on each: so it is called in Foundation's module, which was made on Linux.
"""

import dataclasses
import pathlib
import platform

import ziglang

HERE = pathlib.Path(__file__).resolve().parent
ARCH = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
LINUX = f"{ARCH}-unknown-linux-gnu"
LIBC = pathlib.Path(ziglang.__file__).parent / "lib/libc/include"
MINGW = [LIBC / "any-windows-any"]
# What Foundation's and Dispatch's own headers include, besides those that the compiler has.
BIONIC = [
    "complex", "errno", "fcntl", "inttypes", "math", "signal", "stdio", "string", "sys/param", "sys/syscall", "sys/types",
    "uchar", "unistd",
]  # fmt: skip


@dataclasses.dataclass
class Platform:
    name: str
    triple: str
    # Modules in the order in which they are made, and the file of each.
    overlays: dict[str, str]
    c_options: list[str]
    # The targets for C, and where each finds its headers.
    c_targets: dict[str, list[pathlib.Path]]
    # What stands for the platform in a Linux module, which says for which system it was made; of the same length.
    module_triple: str = LINUX

    @property
    def headers(self):
        return HERE / "headers" / self.name

    def write_headers(self, folder):
        """Writes the headers that only pass on to another."""
        folder.mkdir(parents=True, exist_ok=True)
        if self.name != "android":
            return
        for name in BIONIC:
            header = folder / f"{name}.h"
            header.parent.mkdir(exist_ok=True)
            header.write_text("#include <Bionic.h>\n")
        (folder / "android").mkdir(exist_ok=True)
        (folder / "android/api-level.h").write_text("#define __ANDROID_API__ 28\n")


def _folders(option, folders):
    return [part for folder in folders for part in (option, str(folder))]


def _kernel(arch):
    return [LIBC / f"{'x86' if arch == 'x86_64' else arch}-linux-any", LIBC / "any-linux-any"]


def _musl(arch):
    return [LIBC / f"{arch}-linux-musl", LIBC / "generic-musl", *_kernel(arch)]


PLATFORMS = [
    Platform(
        "musl",
        f"{ARCH}-swift-linux-musl",
        {"Musl": "POSIX", "Glibc": "Musl"},
        # After the compiler's own headers, some of which pass on to these.
        _folders("-idirafter", _musl(ARCH)),
        {
            "x86_64-linux-musl": _musl("x86_64"),
            "aarch64-linux-musl": _musl("aarch64"),
            "arm-linux-musleabihf": _musl("arm"),
        },
    ),
    # Its C library comes only with Google's NDK.
    Platform(
        "android",
        f"{ARCH}-unknown-linux-android28",
        {"Android": "POSIX", "Glibc": "Android"},
        _folders("-isystem", _kernel(ARCH)),
        {},
    ),
    Platform(
        "windows",
        f"{ARCH}-unknown-windows-gnu",
        {"CRT": "CRT", "WinSDK": "WinSDK", "Glibc": "CRT"},
        [
            *_folders("-isystem", MINGW),
            # MinGW's headers as Microsoft's: a long of 32 bits, BOOL, Dispatch's own mode_t, and no malloc of clang's.
            "-D__LP64__", "-DWINBOOL=BOOL", "-D_MODE_T_", "-D__MM_MALLOC_H",
        ],  # fmt: skip
        {"x86_64-windows-gnu": MINGW},
        f"{ARCH}-other-windows-gnu",
    ),
]  # fmt: skip
