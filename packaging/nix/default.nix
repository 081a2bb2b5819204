# Nix: nix-build
{
  pkgs ? import <nixpkgs> { },
}:

pkgs.stdenv.mkDerivation (self: {
  pname = "sortie";
  version = "@VERSION@";

  src = pkgs.fetchurl {
    url = "@SOURCE@";
    sha256 = "@SHA256@";
  };

  nativeBuildInputs = [
    pkgs.cmake
    pkgs.ninja
    pkgs.pkg-config
  ];
  buildInputs = [ pkgs.libmicrohttpd ]
    ++ pkgs.lib.optionals pkgs.stdenv.isLinux [
      pkgs.libarchive
      pkgs.sqlite
    ];

  # The scripts that write the manual pages name an interpreter that is not there while Nix builds.
  postPatch = "patchShebangs tools";

  cmakeFlags = [
    "-DSORTIE_TESTS=OFF"
    "-DSORTIE_CUDA=OFF"
    "-DSORTIE_MPI=OFF"
    "-DSORTIE_MATCHES=${if pkgs.stdenv.isLinux then "ON" else "OFF"}"
  ];

  doInstallCheck = true;
  installCheckPhase = "$out/bin/sortie bench -q | diff $NIX_BUILD_TOP/sortie-${self.version}/bench/signature -";

  meta = {
    description = "Plays, solves and proves adversarial board games";
    homepage = "@HOME@";
    license = pkgs.lib.licenses.mit;
    mainProgram = "sortie";
    platforms = pkgs.lib.platforms.unix;
  };
})
