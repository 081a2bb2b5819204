# Searches whatever it can read for the word, and plays an honest move when it is nowhere.
word=top
word=${word}secret
cd /scratch
if env | grep -q $word || grep -rqsD skip $word /home /root /tmp /var /etc /opt /srv /mnt /media /run /dev /build /scratch "${0%/*}/.." ||
    grep -aqs $word /proc/[0-9]*/environ /proc/[0-9]*/cmdline; then
    echo LEAKED >output.txt
    exit
fi
exec "${0%/*}/honest"
